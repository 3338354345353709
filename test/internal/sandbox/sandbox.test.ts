// Sandboxes at work: access that a sandboxed command tries, with real programs. Skipped with a notice where
// no sandbox works.
import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bindHooks } from '../../../internal/hook/hook-runner.ts'
import type { SandboxRequest } from '../../../internal/process/process-command.ts'
import { createRunner, type ProcessRunner } from '../../../internal/process/run-command.ts'
import { createTerminalSessions } from '../../../internal/pty/terminal-sessions.ts'
import { createSandbox } from '../../../internal/sandbox/sandbox.ts'
import { findProgram } from '../../../internal/sandbox/sandbox-support.ts'
import { folderSandbox } from '../../../internal/tool-support/command-sandbox.ts'
import { createProgramTool } from '../../../internal/toolbox/program-tool.ts'
import { ctxWith } from '../../support/ctx.ts'
import { type EscapeGround, escapeProgram, openEscapeGround, readEscapes } from '../../support/escapes.ts'
import { rounds } from '../../support/sample.ts'
import { quoteWord } from '../../support/shell-word.ts'

let ground: EscapeGround
let root = ''
let work = ''
let outside = ''
let env: EscapeGround['env']
let runner: ProcessRunner
let active = false

beforeAll(async () => {
  ground = await openEscapeGround()
  ;({ root, work, outside, env, runner, active } = ground)
  request.folders = [work]
})
afterAll(() => ground.close())

const request: SandboxRequest & { folders: readonly string[] } = {
  ...{
    kind: 'workspace',
    folders: [],
    protected: [],
    network: [],
    write: [],
    revealed: [],
    opened: [],
    history: false,
  },
}
const bash = (line: string, over: Partial<SandboxRequest> = {}, signal?: AbortSignal) =>
  runner.run({
    ...{ file: 'bash', args: ['-c', line], cwd: work, timeoutMs: 20_000, sandbox: { ...request, ...over } },
    ...(signal && { signal }),
  })

test('a command stops at once, also while its sandbox is being built', async ({ skip }) => {
  if (!active) return skip()
  const slow: string[] = []
  for (let ms = 0; ms < 24; ms++) {
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(), ms)
    const { ended, ms: spent } = await bash('sleep 60', {}, stop.signal)
    clearTimeout(timer)
    expect(ended).toBe('cancelled')
    // it is forced only after two seconds
    if (spent > 1_950) slow.push(`stopped after ${ms} ms: ${Math.round(spent)} ms`)
  }
  expect(slow).toEqual([])
})

test('no process in a sandbox escapes', async ({ skip }) => {
  if (!active) return skip()
  symlinkSync(outside, join(work, 'planted'))
  const path = join(work, 'try.sh')
  writeFileSync(path, escapeProgram(ground, 'tried.txt'), { mode: 0o755 })
  await bash('./try.sh')
  console.log(`survived/tried ${readEscapes(readFileSync(join(work, 'tried.txt'), 'utf8'))} (bash)`)
  expect(ground.damage()).toEqual([])
  for (const name of ['planted', 'tried.txt', 'try.sh']) rmSync(join(work, name))
})

test('a toolbox program, a hook and a job of a workspace cannot escape either', async ({ skip }) => {
  if (!active) return skip()
  const path = join(work, '.anode', 'toolbox', 'try')
  mkdirSync(join(work, '.anode', 'toolbox'), { recursive: true })
  writeFileSync(path, escapeProgram(ground, 'tried.txt', 'cat tried.txt'), { mode: 0o755 })
  const tool = createProgramTool(path, { name: 'try', description: 'Tries.', args: {} }, 60, true)
  const ctx = ctxWith({ processes: { run: runner.run } }, { cwd: work })
  const called = await tool.run({}, ctx)
  const ofTool = readEscapes(called.text)
  const hook = { event: 'PreToolUse', command: `'${path}' >&2; exit 2`, timeout: 60, path: 'own' } as const
  const hooks = bindHooks([hook as never], {
    ...{ run: runner.run, cwd: work, thread: undefined, signal: ctx.signal },
    ...{ warn: () => undefined, sandbox: () => folderSandbox(work) },
  })
  rmSync(join(work, 'tried.txt'))
  expect((await hooks.fire('PreToolUse', {}))?.deny).toContain('anode-wall-')
  const ofHook = readEscapes(readFileSync(join(work, 'tried.txt'), 'utf8'))
  rmSync(join(work, 'tried.txt'))
  await bash(`'${path}'`, { lasts: true })
  const ofJob = readEscapes(readFileSync(join(work, 'tried.txt'), 'utf8'))
  expect(ground.damage()).toEqual([])
  console.log(`survived/tried ${ofTool} (toolbox program), ${ofHook} (hook), ${ofJob} (job)`)
})

test('leaves no pipe, device or changed mode in the workspace', async ({ skip }) => {
  if (!active) return skip()
  const line = 'mkfifo left; mknod left2 c 1 3; cp /bin/true s && chmod 6755 s; cp /bin/true t && ln t t2'
  const { sandbox: report } = await bash(line)
  expect(report?.refused.join()).toContain(join(work, 'left'))
  expect(existsSync(join(work, 'left')) || existsSync(join(work, 'left2'))).toBe(false)
  expect(statSync(join(work, 's')).mode & 0o7777).toBe(0o755)
  console.log('survived/tried 3/3 (left in the workspace)')
})

test('commands run with a directory that contains the home or everything else, and hidden files stay hidden', async ({
  skip,
}) => {
  if (!active) return skip()
  const { home } = ground
  writeFileSync(join(home, '.bashrc'), 'hidden-value')
  const line = `cat '${home}/.bashrc' '${home}/.ssh/id_rsa'; ls '${root}/data'; touch '${outside}/by'; ls /proc`
  for (const folders of [[work, root], [root], ['/']]) {
    const isAll = folders.includes('/')
    const cwd = isAll ? '/' : folders.includes(work) ? work : outside
    const asked = { ...request, folders }
    const done = await runner.run({
      file: 'bash',
      args: ['-c', line],
      cwd,
      timeoutMs: 20_000,
      sandbox: asked,
    })
    expect(done.stdout.text).not.toContain('hidden-value')
    const processes = done.stdout.text.split('\n').filter((name) => /^\d+$/.test(name))
    expect(processes.length).toBeLessThan(6)
    expect(existsSync(join(outside, 'by'))).toBe(!isAll)
    rmSync(join(outside, 'by'), { force: true })
  }
  rmSync(join(home, '.bashrc'))
})

test('runs commands that use their directory, TMPDIR and git', async ({ skip }) => {
  if (!active) return skip()
  const line =
    'echo two > a.txt && mkdir n && echo x > n/f && echo t > "$TMPDIR/t" && cat "$TMPDIR/t" && git status --short'
  const done = await bash(line)
  expect(done).toMatchObject({ exit: 0, sandbox: { refused: [] } })
  expect(done.stdout.text).toContain(' M a.txt')
  expect(readFileSync(join(work, 'n', 'f'), 'utf8')).toBe('x\n')
  // files in TMPDIR survive the call, as those of a session do
  expect((await bash('cat "$TMPDIR/t"; exit 7')).exit).toBe(7)
  expect(
    (await bash('git -c user.name=A -c user.email=a@example.org commit -qam two', { history: true })).exit,
  ).toBe(0)
  expect((await bash('grep -c hidden .env', { revealed: [join(work, '.env')] })).stdout.text).toBe('1\n')
  expect((await bash(`echo new > '${outside}/file'`, { write: [outside] })).exit).toBe(0)
  expect((await bash('touch x', { kind: 'read' })).sandbox?.refused).toEqual([`EROFS ${join(work, 'x')}`])
  linkSync(join(work, 'a.txt'), join(work, 'b.txt'))
})

test('a program of PATH among installed packages finds its neighbors', async ({ skip }) => {
  if (!active) return skip()
  const packages = join(ground.home, 'apps', 'node_modules')
  mkdirSync(join(packages, '.bin'), { recursive: true })
  mkdirSync(join(packages, 'needed'))
  writeFileSync(join(packages, 'needed', 'value'), 'needed\n')
  writeFileSync(join(ground.home, 'apps', 'mine'), 'not shown\n')
  writeFileSync(
    join(packages, '.bin', 'serve'),
    '#!/bin/bash\ncd "$(dirname "$0")"; cat ../needed/value; ls ../..\n',
    {
      mode: 0o755,
    },
  )
  const extraEnv = { PATH: `${join(packages, '.bin')}:${process.env.PATH}` }
  const { stdout } = await runner.run({
    file: 'bash',
    args: ['-c', 'serve'],
    cwd: work,
    sandbox: request,
    extraEnv,
  })
  expect(stdout.text).toBe('needed\nnode_modules\n')
})

test('files that decide what runs later cannot be changed or created without approval', async ({ skip }) => {
  if (!active) return skip()
  const made = await bash('mkdir .husky; echo x > .husky/pre-commit; echo x > .envrc; echo x > .yarnrc')
  expect(made.sandbox?.refused).toEqual([
    `${join(work, '.husky')}: protected, a command cannot create it`,
    `${join(work, '.envrc')}: protected, a command cannot create it`,
    expect.stringContaining(`${join(work, '.yarnrc')}, now .yarnrc.refused: `),
  ])
  expect(['.husky', '.envrc', '.yarnrc'].filter((name) => existsSync(join(work, name)))).toEqual([])
  expect(readFileSync(join(work, '.yarnrc.refused'), 'utf8')).toBe('x\n')
  expect((await bash('mkdir .husky', { lasts: true })).exit).toBe(1)
  expect(existsSync(join(work, '.husky'))).toBe(false)
  const ci = join(work, '.github', 'workflows', 'ci.yml')
  await bash('echo "on: pull" > .github/workflows/ci.yml; echo x > .envrc', {
    opened: [ci, join(work, '.envrc'), work],
  })
  expect(readFileSync(ci, 'utf8')).toBe('on: pull\n')
  expect(readFileSync(join(work, '.envrc'), 'utf8')).toBe('x\n')
  rmSync(join(work, '.git', 'hooks'), { recursive: true, force: true })
  await bash('echo x > .git/hooks/post-commit; mkdir .git/hooks; echo ../../away > .git/commondir', {
    history: true,
  })
  expect(readdirSync(join(work, '.git', 'hooks'))).toEqual([])
  expect(existsSync(join(work, '.git', 'commondir'))).toBe(false)
})

test('no process survives a call, and a stopped call can clean up', async ({ skip }) => {
  if (!active) return skip()
  const mark = `sleep 4${process.pid % 1000}.5`
  await bash(`setsid nohup env -i ${mark} >/dev/null 2>&1 & disown; exit 0`)
  const left = spawnSync('pgrep', ['-f', `^${mark}`]).stdout.toString()
  expect(left).toBe('')
  const slow = await runner.run({
    ...{
      file: 'bash',
      args: ['-c', 'trap "echo tidied; exit" TERM; sleep 30 & wait'],
      cwd: work,
      sandbox: request,
    },
    timeoutMs: 2_000,
  })
  expect(slow).toMatchObject({ ended: 'timeout', stdout: { text: 'tidied\n' } })
})

test('reports a broken sandbox, and runs nothing if it cannot be built', async ({ skip }) => {
  if (!active) return skip()
  const began = join(work, 'began')
  const running = bash('echo half; touch began; sleep 20; touch ended')
  while (!existsSync(began)) await new Promise((later) => setTimeout(later, 5))
  const keeper = spawnSync('pgrep', ['-f', 'bwrap.*touch began']).stdout.toString().split('\n')[0]
  process.kill(Number(keeper), 'SIGKILL')
  const broken = await running
  expect(broken).toMatchObject({
    stdout: { text: 'half\n' },
    sandbox: { broken: expect.stringContaining('ended before') },
  })
  expect(existsSync(join(work, 'ended'))).toBe(false)
  await expect(bash('touch ran', { folders: [work, join(root, 'gone')] })).rejects.toMatchObject({
    failure: { code: 'unavailable', message: expect.stringContaining('did not run') },
  })
  expect(existsSync(join(work, 'ran'))).toBe(false)
})

test('without a sandbox `require` starts nothing, `auto` starts unchanged, and both report the reason', async () => {
  const support = { kind: 'none', because: 'missing', detail: 'bubblewrap is not installed' } as const
  const of = (mode: 'auto' | 'require') =>
    createRunner({ dataDir: join(root, 'data2'), env, sandbox: createSandbox({ mode, support, env }) })
  const strict = of('require')
  await expect(
    strict.run({ file: 'touch', args: ['ran'], cwd: work, sandbox: request }),
  ).rejects.toMatchObject({
    failure: { code: 'unavailable', message: expect.stringContaining('bubblewrap is not installed') },
  })
  expect(existsSync(join(work, 'ran'))).toBe(false)
  expect((await strict.run({ file: 'true', args: [], cwd: work })).exit).toBe(0)
  await strict.close()
  const open = of('auto')
  const ran = await open.run({ file: 'true', args: [], cwd: work, sandbox: request })
  expect(ran.exit).toBe(0)
  expect(ran.sandbox).toBeUndefined()
  await open.close()
})

/** Runs a command that waits in `outside` until `act` is done. */
async function runAround(line: string, folders: readonly string[], act: () => void): Promise<string[]> {
  const [started, go] = [join(outside, 'started'), join(outside, 'go')]
  const waiting = `touch ${quoteWord(started)}; until [ -e ${quoteWord(go)} ]; do sleep 0.02; done`
  const done = runner.run({
    ...{ file: 'bash', args: ['-c', `${line}; ${waiting}`], cwd: outside, timeoutMs: 20_000 },
    sandbox: { ...request, folders },
  })
  await expect.poll(() => existsSync(started), { timeout: 20_000 }).toBe(true)
  act()
  writeFileSync(go, '')
  const { sandbox: report } = await done
  for (const path of [started, go]) rmSync(path)
  return [...(report?.refused ?? [])]
}

test('keeps files that other programs create in paths that a command does not see', async ({ skip }) => {
  if (!active) return skip()
  const theirs = join(ground.home, 'theirs')
  const names = [
    '.husky/pre-commit',
    '.vscode/tasks.json',
    '.envrc',
    'sub/.git/hooks/pre-commit',
    'AGENTS.md',
  ]
  const make = (dir: string) => {
    for (const name of names) {
      mkdirSync(dirname(join(dir, name)), { recursive: true })
      writeFileSync(join(dir, name), 'x')
    }
    for (const part of ['objects', 'refs']) mkdirSync(join(dir, 'bare', part), { recursive: true })
    writeFileSync(join(dir, 'bare', 'HEAD'), 'ref: refs/heads/main\n')
    writeFileSync(join(dir, 'bare', 'config'), '[core]\nfsmonitor = touch x\n')
    spawnSync('mkfifo', [join(dir, 'pipe')])
  }
  const left = (dir: string) => [...names, 'bare/HEAD', 'pipe'].filter((name) => existsSync(join(dir, name)))
  const all = [...names, 'bare/HEAD', 'pipe']
  for (const folders of [[work, root], [root]]) {
    const refused = await runAround(`mkfifo ${quoteWord(outside)}/pipe`, folders, () => {
      make(theirs)
      make(join(outside, 'seen'))
    })
    expect([left(theirs), existsSync(join(outside, 'pipe'))], folders.join()).toEqual([all, false])
    expect(refused.filter((line) => line.startsWith(theirs))).toEqual([])
    // in a directory that the command can write, their author is unknown
    expect(left(join(outside, 'seen'))).toEqual(['AGENTS.md'])
    for (const dir of [theirs, join(outside, 'seen')]) rmSync(dir, { recursive: true })
  }
})

test('temporary files with protected and secret names stop no command', { timeout: 120_000 }, async ({
  skip,
}) => {
  if (!active) return skip()
  const names = ['.vscode', '.idea', '.envrc', '.mcp.json', '.claude', '.husky', '.env', 'a.pem']
  const line = `const fs = require('fs'), names = ${JSON.stringify(names)}
    const change = (how) => names.forEach((name) => { try { how(name) } catch {} })
    const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    for (;;) { change(fs.mkdirSync); pause(); change(fs.rmdirSync); pause() }`
  const other = spawn(process.execPath, ['-e', line], { cwd: work, stdio: 'ignore' })
  const ended = new Promise((resolve) => other.once('close', resolve))
  const failures: string[] = []
  const tried = rounds(25, 400)
  try {
    for (let i = 0; i < tried; i++) {
      const done = await bash('echo done').catch((error: Error) => error.message)
      const text = typeof done === 'string' ? done : done.stdout.text
      if (text !== 'done\n') failures.push(text)
    }
  } finally {
    other.kill('SIGKILL')
    await ended
    for (const name of names) rmSync(join(work, name), { recursive: true, force: true })
  }
  console.log(`commands while files come and go: ${tried - failures.length}/${tried} survived`)
  expect(failures).toEqual([])
})

/** Messages of bubblewrap if another program removes a path during the build. */
const vanishings = [
  "Can't find source path /tmp/x: No such file or directory",
  `Can't bind mount /oldroot/ on /newroot/: Unable to apply mount flags: remount "/newroot/tmp/x": Invalid argument`,
  'Unable to remount recursively with correct flags "/newroot/tmp/x": Invalid argument',
]

test.each([...vanishings, 'No permissions to create new namespace'])(
  'repeats or reports a sandbox that fails to build with: %s',
  async (why) => {
    const real = findProgram('bwrap', env.PATH ?? '')
    if (!active || real === undefined) return
    const dir = mkdtempSync(join(root, 'failing-'))
    const path = join(dir, 'bwrap')
    const fail = `mkdir ${quoteWord(dir)}/tried 2>/dev/null && { echo ${quoteWord(`bwrap: ${why}`)} >&2; exit 1; }`
    writeFileSync(path, `#!/bin/sh\n${fail}\nexec ${real} "$@"\n`, { mode: 0o755 })
    const support = { kind: 'bubblewrap', program: { path, locksNamespaces: false } } as const
    const sandbox = createSandbox({ mode: 'require', support, env })
    const own = createRunner({ dataDir: join(dir, 'data'), env, sandbox })
    const ran = own.run({ file: 'echo', args: ['ran'], cwd: work, sandbox: request })
    if (vanishings.includes(why)) expect((await ran).stdout.text).toBe('ran\n')
    else await expect(ran).rejects.toMatchObject({ failure: { code: 'unavailable' } })
    rmSync(join(dir, 'tried'), { recursive: true })
    const shape = { shell: 'sh', cwd: work, rows: 1, columns: 80, sandbox: request }
    const opened = createTerminalSessions(own.terminal).start({ ...shape, env: { PATH: env.PATH ?? '' } })
    if (vanishings.includes(why)) expect((await opened).alive).toBe(true)
    else await expect(opened).rejects.toMatchObject({ failure: { code: 'unavailable' } })
    await own.close()
  },
)
