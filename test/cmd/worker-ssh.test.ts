// Workers over ssh, with a real server of Debian's openssh-server on the loopback. Its configuration, keys and
// port belong to the test.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readHosts } from '../../internal/service/study/ssh-workers.ts'
import { corpus, type Machine, type Machines, machines, question } from '../support/many-machines.ts'
import { freePort, startRedis, whereRedis } from '../support/redis.ts'
import { root } from '../support/sources.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 })

const sshd = '/usr/sbin/sshd'
const missing =
  existsSync(sshd) && userInfo().uid === 0
    ? undefined
    : 'a test as root with sshd is needed (Debian and Ubuntu: apt-get install openssh-server)'

describe('hosts', () => {
  test.each([
    ['build7', ['build7']],
    ['user@10.0.0.5, h2.example.com,h2.example.com', ['user@10.0.0.5', 'h2.example.com']],
    ['fe80::1%eth0', ['fe80::1%eth0']],
  ])('%s', (list, hosts) => {
    expect(readHosts(list)).toEqual(hosts)
  })

  test.each([
    '-oProxyCommand=touch x',
    'a,-oProxyCommand=x',
    'user@-x',
    '-x@host',
    '',
    'a,,b',
    'a b',
    'a;touch x',
    '$(touch x)',
    'a\nb',
    'ssh://a/b',
    'x'.repeat(300),
  ])('refuses %j', (list) => {
    expect(() => readHosts(list)).toThrow('--ssh: not a host')
  })
})

let park: Machines
beforeEach(() => {
  park = machines()
})
afterEach(() => park.clear())

test('refuses a host that is an option, and starts nothing', async () => {
  const one = park.machine({})
  const words = ['worker', '--engine', 'redis://h', '--ssh=-oProxyCommand=touch x'] as const
  const done = await one.run(words)
  expect(done).toMatchObject({
    code: 2,
    err: expect.stringContaining('--ssh: not a host: "-oProxyCommand=touch x"'),
  })
  expect(existsSync(join(one.dir, 'x'))).toBe(false)
})

test('refuses one label for the workers of several hosts', async () => {
  const one = park.machine({})
  const done = await one.run(['worker', '--engine', 'redis://h', '--ssh', 'a,b', '--label', 'x'])
  expect(done).toMatchObject({ code: 2, err: expect.stringContaining('--label names one worker') })
})

const place: { dir: string; port: number; server?: ChildProcess } = { dir: '', port: 0 }

/** Starts a server that has one key, and whose commands find `anode`. */
async function startServer(): Promise<void> {
  place.dir = mkdtempSync(join(tmpdir(), 'anode-sshd-'))
  place.port = await freePort()
  const file = (name: string) => join(place.dir, name)
  for (const name of ['host', 'client'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)])
  execFileSync('cp', [file('client.pub'), file('authorized')])
  mkdirSync('/run/sshd', { recursive: true })
  const bin = file('bin')
  mkdirSync(bin)
  // the home and data of the other machine, which the server gives to each command
  const program = `exec env HOME=${file('home')} ANODE_DATA_DIR=${file('data')} ${process.execPath} ${join(root, 'dist/anode.cjs')} "$@"`
  writeFileSync(join(bin, 'anode'), `#!/bin/sh\n${program}\n`, { mode: 0o755 })
  mkdirSync(file('home'))
  writeFileSync(
    file('sshd_config'),
    `Port ${place.port}\nListenAddress 127.0.0.1\nHostKey ${file('host')}\nAuthorizedKeysFile ${file('authorized')}\n` +
      `PidFile none\nStrictModes no\nPermitRootLogin yes\nUsePAM no\nPasswordAuthentication no\n` +
      `SetEnv PATH=${bin}:/usr/bin:/bin\n`,
  )
  place.server = spawn(sshd, ['-D', '-e', '-f', file('sshd_config')], { stdio: 'ignore' })
  await vi.waitFor(() => answers(place.port), { timeout: 30_000, interval: 100 })
}

const answers = (port: number) =>
  new Promise<void>((done, fail) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => {
      socket.destroy()
      done()
    })
    socket.once('error', fail)
  })

/** Writes the ssh configuration of a machine, whose hosts `near` and `closed` are this server and a closed port. */
async function configure({ dir }: Machine): Promise<{ PATH: string }> {
  const bin = join(dir, '..', 'bin')
  mkdirSync(bin)
  const block = (host: string, port: number) => `Host ${host}\n  HostName 127.0.0.1\n  Port ${port}\n`
  const config = join(dir, '..', 'ssh_config')
  writeFileSync(
    config,
    `${block('near', place.port)}${block('closed', await freePort())}Host *\n  User ${userInfo().username}\n` +
      `  IdentityFile ${join(place.dir, 'client')}\n  StrictHostKeyChecking no\n  UserKnownHostsFile /dev/null\n  LogLevel ERROR\n`,
  )
  // ssh reads its configuration from the home of the password file, so the test passes it here
  writeFileSync(join(bin, 'ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F ${config} "$@"\n`, { mode: 0o755 })
  return { PATH: `${bin}:${process.env['PATH']}` }
}

whereRedis('with a server of ssh', () => {
  describe.skipIf(missing !== undefined)(missing ?? 'openssh-server', () => {
    beforeAll(startServer)
    afterAll(() => {
      place.server?.kill()
      rmSync(place.dir, { recursive: true, force: true })
    })

    test('a worker of another machine does the tasks and ends with its command; others that fail are named', async ({
      onTestFinished,
    }) => {
      const redis = await startRedis(['--requirepass', 's3cret'])
      onTestFinished(() => redis.remove())
      const url = redis.url.replace('redis://', 'redis://:s3cret@')
      const lead = park.machine(corpus)
      const env = await configure(lead)
      const words = ['worker', '--ssh', 'near,closed', '--slots', '2', '--root', lead.dir]
      const workers = lead.start(words, { ...env, ANODE_ENGINE: url })
      await workers.says('near  worker ')
      await workers.says('closed  ssh ended with exit code 255')
      const processes = execFileSync('ps', ['-ww', '-e', '-o', 'args'], { encoding: 'utf8' })
      expect(processes).toContain('anode worker --engine - --json --slots 2')
      expect(processes).not.toContain('s3cret@')
      const remote = { ANODE_ENGINE: url }
      const study = [
        'study',
        question,
        '--engine',
        url,
        '--local',
        '0',
        '--workers',
        '2',
        '--json',
        '--quiet',
      ]
      const done = await lead.run(study, remote)
      expect([0, 3], done.err).toContain(done.code)
      const listed = await lead.run(['worker', 'list', '--json'], remote)
      expect(JSON.parse(listed.out)).toMatchObject([{ slots: 2, root: lead.dir }])
      workers.process.kill('SIGTERM')
      expect(await workers.ended, workers.err()).toBe(0)
      const list = async () => JSON.parse((await lead.run(['worker', 'list', '--json'], remote)).out)
      await expect.poll(list, { timeout: 120_000 }).toEqual([])
    })

    test('a worker of another machine ends after one task with --once', async ({ onTestFinished }) => {
      const redis = await startRedis()
      onTestFinished(() => redis.remove())
      const lead = park.machine(corpus)
      const env = await configure(lead)
      const remote = { ANODE_ENGINE: redis.url }
      const words = ['worker', '--ssh', 'near', '--once', '--root', lead.dir]
      const workers = lead.start(words, { ...env, ...remote })
      await workers.says('near  worker ')
      const study = ['study', question, '--engine', redis.url, '--local', '0', '--workers', '1', '--quiet']
      const done = await lead.run(study, remote)
      expect([0, 3], done.err).toContain(done.code)
      // without --once it would work until a signal
      expect(await workers.ended, workers.err()).toBe(0)
    })

    test('exits with 2 if no worker is left', async () => {
      const lead = park.machine(corpus)
      const env = await configure(lead)
      const done = await lead.run(['worker', '--ssh', 'closed', '--engine', 'redis://127.0.0.1'], env)
      expect(done.code).toBe(2)
      expect(done.err).toContain('no worker is left')
      expect(done.err).toContain('closed: ')
    })
  })
})
