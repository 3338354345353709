// Servers of background jobs and terminals, which only later commands of the same session can reach.
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SandboxRequest } from '../../../internal/process/process-command.ts'
import { createRunner, type ProcessRunner } from '../../../internal/process/run-command.ts'
import { loadPseudoTerminals } from '../../../internal/pty/pseudo-terminal.ts'
import { createSandbox } from '../../../internal/sandbox/sandbox.ts'
import {
  findProgram,
  findSandboxSupport,
  type SandboxSupport,
} from '../../../internal/sandbox/sandbox-support.ts'
import { SessionNetwork } from '../../../internal/sandbox/session-network.ts'
import { git } from '../../support/repo.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anode-session-network-')))
const work = join(root, 'work')
const env = { PATH: process.env.PATH, HOME: join(root, 'home') }
const port = 8124
let support: SandboxSupport
const runners: ProcessRunner[] = []
let outside: ReturnType<typeof createServer>

/** Opens one session with a separate data directory, runner and sandbox. */
function openSession(name: string, environment: typeof env = env) {
  const plain = createRunner({ dataDir: join(root, name), env: environment })
  const hosts = { resolve: async () => ['127.0.0.1'], allow: [`good.example:${outsidePort()}`] }
  const options = { mode: 'auto', support, env: environment, run: plain.run, hosts } as const
  const runner = createRunner({ dataDir: join(root, name), env, sandbox: createSandbox(options) })
  runners.push(runner, plain)
  const request = (over: Partial<SandboxRequest>): SandboxRequest => ({
    ...{ kind: 'workspace', folders: [work], protected: [], network: [], write: [], revealed: [] },
    ...{ opened: [], history: false, ...over },
  })
  const bash = (line: string, over: Partial<SandboxRequest> = {}, signal?: AbortSignal) =>
    runner.run({
      ...{ file: 'bash', args: ['-c', line], cwd: work, timeoutMs: 30_000, sandbox: request(over) },
      ...(signal && { signal }),
    })
  return { runner, bash, request }
}

const outsidePort = () => (outside.address() as AddressInfo).port

const serve = (at: number, text: string) =>
  `node -e "require('http').createServer((_,r)=>r.end('${text}')).listen(${at},'127.0.0.1',()=>require('fs').writeFileSync('up.${at}','1'))"`

/** Runs `act` while the server answers. */
async function whileServing<T>(
  session: ReturnType<typeof openSession>,
  at: number,
  text: string,
  act: () => Promise<T>,
) {
  rmSync(join(work, `up.${at}`), { force: true })
  const stop = new AbortController()
  const job = session.bash(serve(at, text), { lasts: true }, stop.signal)
  for (let i = 0; i < 1000; i++) {
    try {
      readFileSync(join(work, `up.${at}`))
      break
    } catch {
      await sleep(10)
    }
  }
  try {
    return await act()
  } finally {
    stop.abort()
    await job
  }
}

const curl = (at: number) => `curl -sS --max-time 5 http://127.0.0.1:${at}/`

beforeAll(async () => {
  mkdirSync(work)
  mkdirSync(env.HOME)
  git(work, 'init', '-q')
  outside = createServer((_, answer) => answer.end('from outside'))
  await new Promise<void>((listening) => outside.listen(0, '127.0.0.1', listening))
  const machine = {
    ...{ platform: 'linux', path: env.PATH ?? '' },
    probe: async (file: string, args: readonly string[]) => {
      const plain = createRunner({ dataDir: join(root, 'probe'), env })
      const { exit, stderr } = await plain.run({ file, args, cwd: '/', timeoutMs: 5000 })
      await plain.close()
      return { exit, errors: stderr.text }
    },
  }
  support = await findSandboxSupport(root, machine, true)
})
afterAll(async () => {
  for (const runner of runners) await runner.close()
  outside.close()
  rmSync(root, { recursive: true, force: true })
})

const isActive = () => support.kind === 'bubblewrap'

test('a call, a read-only call and a second job reach the server of a job, and no call does afterwards', async ({
  skip,
}) => {
  if (!isActive()) return skip('no sandbox on this machine')
  const session = openSession('one')
  expect((await session.bash(curl(port))).sandbox?.refused).toEqual([
    '127.0.0.1:8124: only servers of this command and of running background jobs can be reached',
  ])
  await whileServing(session, port, 'hello', async () => {
    for (const over of [{}, { kind: 'read' as const }, { lasts: true }, { history: true }]) {
      const { exit, stdout, sandbox } = await session.bash(curl(port), over)
      expect({ exit, text: stdout.text, refused: sandbox?.refused }).toEqual({
        exit: 0,
        text: 'hello',
        refused: [],
      })
    }
  })
  const after = await session.bash(curl(port))
  expect(after.exit).toBe(7)
})

test('a call in the shared network has the rest of the sandbox, and no way out', async ({ skip }) => {
  if (!isActive()) return skip('no sandbox on this machine')
  const session = openSession('two')
  writeFileSync(join(work, '.env'), 'KEY=hidden-value')
  const probe = [
    'readlink /proc/self/ns/net',
    'grep -h ^Cap /proc/self/status | sort -u',
    'grep Seccomp: /proc/self/status',
    // the processes of the machine are hidden; how many the call has itself differs under load
    `p=(/proc/[0-9]*); [ \${#p[@]} -lt 20 ] && echo few || echo many`,
    'cat .env; touch /etc/x; touch .git/hooks/pre-commit; unshare -Ur true; ip link set lo down',
    `${curl(outsidePort())}; true`,
  ].join('; ')
  const lines = async () => {
    const { combined } = await session.bash(probe)
    // curl names the time that it took
    return combined.text.replace(/ after \d+ ms/g, '').split('\n')
  }
  const [, ...apart] = await lines()
  await whileServing(session, port, 'hello', async () => {
    const [shared, ...joined] = await lines()
    expect(joined).toEqual(apart)
    const [again] = await lines()
    expect(again).toBe(shared)
    // the number of a network that has ended is used again, so only the network of the machine is compared
    expect(shared).not.toBe(readlinkSync('/proc/self/ns/net'))
    const { sandbox, exit } = await session.bash(
      'curl -sS https://registry.invalid-name.example >/dev/null 2>&1',
    )
    expect({ exit, refused: sandbox?.refused }).toEqual({ exit: 6, refused: ['network: no host is granted'] })
    // the denied access of one call is not reported for the next one
    expect((await session.bash('true')).sandbox?.refused).toEqual([])
  })
})

test('two sessions cannot reach each other', async ({ skip }) => {
  if (!isActive()) return skip('no sandbox on this machine')
  const [first, second] = [openSession('three'), openSession('four')]
  await whileServing(first, port, 'of the first', () =>
    whileServing(second, port + 1, 'of the second', async () => {
      expect((await first.bash(curl(port))).stdout.text).toBe('of the first')
      expect((await second.bash(curl(port + 1))).stdout.text).toBe('of the second')
      expect((await first.bash(curl(port + 1))).exit).toBe(7)
      expect((await second.bash(curl(port))).exit).toBe(7)
    }),
  )
})

test('a grant applies only to its call', async ({ skip }) => {
  if (!isActive()) return skip('no sandbox on this machine')
  const session = openSession('five')
  const granted = { network: [`good.example:${outsidePort()}`] }
  const far = `curl -sS --max-time 5 http://good.example:${outsidePort()}/`
  await whileServing(session, port, 'hello', async () => {
    const steal =
      'for i in $(seq 100); do [ -s port ] && break; sleep 0.05; done; ' +
      `curl -sS -x http://127.0.0.1:$(cat port) http://good.example:${outsidePort()}/ -o /dev/null -w '%{http_code}'; touch done.port`
    const line = `${far}; ${curl(port)}; echo "\${http_proxy##*:}" > port; for i in $(seq 100); do [ -e done.port ] && break; sleep 0.05; done; git ls-remote http://good.example:${outsidePort()}/x.git`
    const [own, other] = await Promise.all([session.bash(line, granted), session.bash(steal)])
    expect(own.stdout.text).toBe('from outsidehello')
    // git sends the password with its second request
    expect(own.stderr.text).not.toContain('407')
    expect(other.stdout.text).toBe('407')
  })
})

test('a terminal reaches the server of a job, and calls reach that of a terminal', async ({ skip }) => {
  if (!isActive()) return skip('no sandbox on this machine')
  const open = await loadPseudoTerminals().catch(() => undefined)
  if (!open) return skip('no pseudo terminals here')
  const session = openSession('six')
  let shown = ''
  const terminal = await session.runner.terminal({
    ...{ open, file: 'bash', args: ['--norc'], cwd: work, rows: 20, columns: 200 },
    sandbox: session.request({ lasts: true }),
    onOutput: (text) => {
      shown += text
    },
  })
  const until = async (isThere: () => boolean | Promise<boolean>) => {
    for (let i = 0; i < 500 && !(await isThere()); i++) await sleep(20)
  }
  await whileServing(session, port, 'hello', async () => {
    terminal.write(`${curl(port)}\n`)
    await until(() => shown.includes('hello'))
    expect(shown).toContain('hello')
  })
  terminal.write(`${serve(port + 2, 'from a terminal')} &\n`)
  let text = ''
  await until(async () => {
    text = (await session.bash(curl(port + 2))).stdout.text
    return text !== ''
  })
  expect(text).toBe('from a terminal')
  await terminal.stop(true)
  expect((await session.bash(curl(port + 2))).exit).toBe(7)
})

test('without nsenter, or if entering is denied, each call has a separate network and the hint gives the reason', async ({
  skip,
}) => {
  if (support.kind !== 'bubblewrap') return skip('no sandbox on this machine')
  const plain = createRunner({ dataDir: join(root, 'plain'), env })
  runners.push(plain)
  const bwrap = support.program.path
  for (const [nsenter, problem] of [
    [undefined, /^nsenter .* is not installed$/],
    ['/bin/false', /^nsenter ended with exit 1$/],
  ] as const) {
    const network = new SessionNetwork({ bwrap, nsenter }, plain.run)
    expect(await network.join(false)).toBeUndefined()
    const job = await network.join(true)
    expect(job?.entry).toBeUndefined()
    expect(network.problem).toMatch(problem)
    job?.leave()
    expect(network.problem).toBeUndefined()
  }
})

test('a path that another program removes while the network is created does not separate calls', async ({
  skip,
}) => {
  const nsenter = findProgram('nsenter', process.env.PATH ?? '')
  if (support.kind !== 'bubblewrap' || nsenter === undefined) return skip('no sandbox or no nsenter here')
  const plain = createRunner({ dataDir: join(root, 'plain3'), env })
  runners.push(plain)
  const bwrap = join(root, 'failing-bwrap')
  const why = 'bwrap: Unable to apply mount flags: remount "/newroot/tmp/x": Invalid argument'
  const fail = `mkdir ${root}/tried 2>/dev/null && { echo '${why}' >&2; exit 1; }`
  writeFileSync(bwrap, `#!/bin/sh\n${fail}\nexec ${support.program.path} "$@"\n`, { mode: 0o755 })
  const network = new SessionNetwork({ bwrap, nsenter }, plain.run)
  const job = await network.join(true)
  expect([network.problem, job?.entry?.[0]]).toEqual([undefined, nsenter])
  job?.leave()
})

test('the process that keeps the network ends with the last command in it, and is replaced if it was killed', async ({
  skip,
}) => {
  if (support.kind !== 'bubblewrap') return skip('no sandbox on this machine')
  const plain = createRunner({ dataDir: join(root, 'plain2'), env })
  runners.push(plain)
  const network = new SessionNetwork({ bwrap: support.program.path, nsenter: '/usr/bin/nsenter' }, plain.run)
  const job = await network.join(true)
  const call = await network.join(false)
  expect(call?.pid).toBe(job?.pid)
  const isThere = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  const gone = async (pid: number) => {
    for (let i = 0; i < 3_000 && isThere(pid); i++) await sleep(10)
    return !isThere(pid)
  }
  job?.leave()
  expect(isThere(job?.pid as number)).toBe(true)
  // a call after the last job
  expect(await network.join(false)).toBeUndefined()
  call?.leave()
  expect(await gone(job?.pid as number)).toBe(true)
  const next = await network.join(true)
  process.kill(next?.pid as number, 'SIGKILL')
  expect(await gone(next?.pid as number)).toBe(true)
  const other = await network.join(true)
  expect(isThere(other?.pid as number)).toBe(true)
  expect(other?.pid).not.toBe(next?.pid)
  next?.leave()
  other?.leave()
  expect(await gone(other?.pid as number)).toBe(true)
})
