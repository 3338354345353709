// Tool chains of PATH in the sandbox, also where HOME is another directory: real programs in directories made here.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createRunner, type ProcessRunner } from '../../../internal/process/run-command.ts'
import { findBoundSockets } from '../../../internal/sandbox/bound-sockets.ts'
import { readMachinePlaces } from '../../../internal/sandbox/machine-places.ts'
import { createSandbox } from '../../../internal/sandbox/sandbox.ts'
import { isBelow } from '../../../internal/sandbox/sandbox-mounts.ts'
import { findSandboxSupport } from '../../../internal/sandbox/sandbox-support.ts'
import { folderSandbox } from '../../../internal/tool-support/command-sandbox.ts'

let root = ''
let user = ''
let work = ''
let active = false
let runner: ProcessRunner
const home = process.env.HOME
const programs: string[] = []

/** Program, the file of its tool chain that it prints, and a link to it where PATH has only that. */
const chains: readonly (readonly [bin: string, data: string, link?: string])[] = [
  ['.pyenv/shims/tool1', '.pyenv/versions/3.12/lib'],
  ['.cargo/bin/tool2', '.rustup/toolchains/stable/lib'],
  ['.nvm/versions/node/v20/bin/tool3', '.nvm/versions/node/v20/lib'],
  ['go/bin/tool4', 'go/pkg/mod/lib'],
  ['.local/bin/tool5', '.local/share/pipx/venvs/tool5/lib', '.local/share/pipx/venvs/tool5/bin/tool5'],
  ['.rbenv/shims/tool6', '.rbenv/versions/3/lib'],
  ['.asdf/shims/tool7', '.asdf/installs/x/lib'],
  ['.volta/bin/tool8', '.volta/tools/image/lib'],
  ['.bun/bin/tool9', '.bun/install/global/lib'],
  ['.deno/bin/tool10', '.deno/lib'],
  ['.sdkman/candidates/java/bin/tool11', '.sdkman/candidates/java/lib'],
  ['.dotnet/tools/tool12', '.dotnet/shared/lib'],
  ['.local/share/mise/shims/tool13', '.local/share/mise/installs/lib'],
  ['.ghcup/bin/tool14', '.ghcup/ghc/lib'],
]

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'anode-places-')))
  user = join(root, 'user')
  work = join(root, 'other', 'work')
  mkdirSync(work, { recursive: true })
  process.env.HOME = join(root, 'other')
  for (const [bin, data, link] of chains) {
    for (const file of [bin, data, link ?? bin]) mkdirSync(dirname(join(user, file)), { recursive: true })
    writeFileSync(join(user, data), 'library\n')
    writeFileSync(join(user, link ?? bin), `#!/bin/sh\ncat '${join(user, data)}'\n`, { mode: 0o755 })
    if (link) symlinkSync(join(user, link), join(user, bin))
    programs.push(join(user, dirname(bin)))
  }
  for (const file of ['.cargo/credentials.toml', 'notes.txt', '.ssh/id_rsa'])
    mkdirSync(dirname(join(user, file)), { recursive: true })
  for (const file of ['.cargo/credentials.toml', 'notes.txt', '.ssh/id_rsa'])
    writeFileSync(join(user, file), 'hidden-value\n')
  const env = { PATH: [...programs, process.env.PATH].join(':'), HOME: join(root, 'other') }
  const probe = createRunner({ dataDir: join(root, 'data'), env })
  const support = await findSandboxSupport(join(root, 'data'), {
    ...{ platform: process.platform, path: env.PATH },
    probe: async (file, args) => {
      const { exit, stderr } = await probe.run({ file, args, cwd: '/' })
      return { exit, errors: stderr.text }
    },
  })
  await probe.close()
  active = support.kind === 'bubblewrap'
  const sandbox = createSandbox({ mode: 'auto', support, env, read: [join(user, 'notes.txt')] })
  runner = createRunner({ dataDir: join(root, 'data'), env, sandbox })
})
afterAll(async () => {
  await runner.close()
  process.env.HOME = home
  rmSync(root, { recursive: true, force: true })
})

const bash = (line: string, over = {}) =>
  runner.run({
    file: 'bash',
    args: ['-c', line],
    cwd: work,
    timeoutMs: 20_000,
    sandbox: { ...folderSandbox(work), ...over },
  })

test('each tool chain of PATH runs with its own files where HOME is another directory', async ({ skip }) => {
  if (!active) return skip()
  const { stdout, stderr } = await bash(chains.map((_, i) => `tool${i + 1}`).join('; '))
  expect(stderr.text).toBe('')
  expect(stdout.text).toBe('library\n'.repeat(chains.length))
  const secrets = await bash(`cat '${user}/.cargo/credentials.toml' '${user}/.ssh/id_rsa'; ls -a '${user}'`)
  expect(secrets.stdout.text).not.toContain('hidden-value')
  expect(secrets.stdout.text).not.toContain('.ssh')
  // the setting `shell.read` opens more
  expect((await bash(`cat '${user}/notes.txt'`)).stdout.text).toBe('hidden-value\n')
})

test('a directory of PATH that cannot be entered is passed over', async ({ skip }) => {
  const bin = join(root, 'closed', 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'bwrap'), '', { mode: 0o755 })
  chmodSync(dirname(bin), 0o000)
  // user 0 enters every directory, so a name that is too long has to fail in its place
  const unusable = [bin, join(root, 'x'.repeat(300)), join(user, 'notes.txt', 'bin')]
  for (const dir of unusable) {
    const machine = {
      platform: 'linux',
      path: `${dir}:/usr/bin:/bin`,
      probe: async () => ({ exit: 0, errors: '' }),
    }
    const support = await findSandboxSupport(mkdtempSync(join(root, 'data-')), machine, true)
    if (dir === bin && process.getuid?.() === 0) continue
    if (!existsSync('/usr/bin/bwrap')) return skip()
    expect(support).toMatchObject({ kind: 'bubblewrap', program: { path: '/usr/bin/bwrap' } })
    expect(() => readMachinePlaces({ PATH: machine.path })).not.toThrow()
  }
  chmodSync(dirname(bin), 0o755)
})

test('bwrap of another user is not taken', async ({ skip }) => {
  if (process.getuid?.() !== 0) return skip()
  const bin = join(root, 'theirs')
  mkdirSync(bin)
  writeFileSync(join(bin, 'bwrap'), '', { mode: 0o755 })
  for (const owned of [bin, join(bin, 'bwrap')]) {
    spawnSync('chown', ['12345', owned])
    const machine = { platform: 'linux', path: bin, probe: async () => ({ exit: 0, errors: '' }) }
    const support = await findSandboxSupport(mkdtempSync(join(root, 'data-')), machine, true)
    expect(JSON.stringify(support)).not.toContain(bin)
    spawnSync('chown', ['0', owned])
  }
})

test('a repository elsewhere on the machine is hidden unless it is the workspace, added or approved', async ({
  skip,
}) => {
  if (!active) return skip()
  const tops = [
    '/srv',
    '/mnt',
    '/media',
    '/opt',
    '/var/www',
    '/var/lib',
    '/var/backups',
    '/data',
    '/exports',
    '/',
  ]
  for (const top of tops) {
    let dir: string
    try {
      if (top === '/' || existsSync(top)) dir = mkdtempSync(join(top, 'anode-test-'))
      else continue
    } catch {
      continue
    }
    try {
      const file = join(dir, 'main.c')
      writeFileSync(file, 'seen\n')
      // a session reads the list at its first start
      const fresh = createRunner({
        ...{ dataDir: join(root, 'data'), env: { PATH: process.env.PATH, HOME: process.env.HOME } },
        sandbox: createSandbox({
          mode: 'auto',
          support: { kind: 'bubblewrap', program: { path: '/usr/bin/bwrap', locksNamespaces: true } },
          env: process.env,
        }),
      })
      const read = async (over: object, folder = work) =>
        (
          await fresh.run({
            file: 'cat',
            args: [file],
            cwd: folder,
            sandbox: { ...folderSandbox(folder), ...over },
          })
        ).stdout.text
      const places = [{}, { folders: [work, dir] }, { revealed: [file] }, { write: [dir] }]
      const seen: string[] = []
      for (const over of places) seen.push(await read(over))
      seen.push(await read({}, dir))
      await fresh.close()
      expect([top, ...seen]).toEqual([top, '', 'seen\n', 'seen\n', 'seen\n', 'seen\n'])
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  }
})

test('a directory of the machine that is removed later keeps no command from running', async ({ skip }) => {
  if (!active || process.getuid?.() !== 0) return skip('only the superuser makes a directory in /')
  const dir = mkdtempSync('/anode-test-')
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const program = { path: '/usr/bin/bwrap', locksNamespaces: true }
  const support = { kind: 'bubblewrap', program } as const
  const sandbox = createSandbox({ mode: 'require', support, env: process.env })
  const fresh = createRunner({ dataDir: join(root, 'data'), env: process.env, sandbox })
  onTestFinished(() => fresh.close())
  const list = () => fresh.run({ file: 'ls', args: [dir], cwd: work, sandbox: folderSandbox(work) })
  expect((await list()).exit).toBe(0)
  rmSync(dir, { recursive: true })
  expect((await list()).exit).not.toBe(0)
  expect((await fresh.run({ file: 'true', args: [], cwd: work, sandbox: folderSandbox(work) })).exit).toBe(0)
})

test('no socket of another program is reached, wherever it is visible', async ({ skip }) => {
  if (!active) return skip()
  const servers: Server[] = []
  const listen = async (path: string) => {
    mkdirSync(dirname(path), { recursive: true })
    const server = createServer((socket) => socket.end('REACHED'))
    await new Promise<void>((done) => server.listen(path, done))
    servers.push(server)
    return path
  }
  const paths: string[] = []
  for (let i = 0; i < 12; i++) paths.push(await listen(join(work, i % 2 ? `deep${i}/of` : `s${i}`, 'a.sock')))
  const before = process.cwd()
  onTestFinished(() => process.chdir(before))
  const relativeTo = join(work, 'rel')
  mkdirSync(relativeTo)
  process.chdir(relativeTo)
  await listen('relative.sock')
  expect(findBoundSockets([work])).toEqual(
    expect.arrayContaining([...paths, join(relativeTo, 'relative.sock')]),
  )
  const all = [...paths, join(relativeTo, 'relative.sock')]
  const script = `for (const path of process.argv.slice(1)) require('net').connect(path).on('data', (text) => console.log(path, String(text))).on('error', () => {})`
  const tried = await runner.run({
    file: process.execPath,
    args: ['-e', script, ...all],
    cwd: work,
    sandbox: folderSandbox(work),
  })
  expect(tried.stdout.text).toBe('')
  const granted = { ...folderSandbox(work), revealed: [all[0] as string] }
  const reached = await runner.run({
    file: process.execPath,
    args: ['-e', script, ...all],
    cwd: work,
    sandbox: granted,
  })
  expect(reached.stdout.text).toBe(`${all[0]} REACHED\n`)
  process.chdir(before)
  for (const server of servers) await new Promise((done) => server.close(done))
  expect(findBoundSockets([work]).filter((path) => isBelow(path, work))).toEqual([])
})
