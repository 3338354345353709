// Leftovers of dead runs: which are ended and removed, which are left alone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createUlid } from '../../../internal/base/ids.ts'
import { startWatchdog } from '../../../internal/process/child-owner.ts'
import { cleanUpDeadProcesses, limitMarkOf, withLimitMark } from '../../../internal/process/dead-runs.ts'
import type { SandboxRequest } from '../../../internal/process/process-command.ts'
import {
  makeRunDirectory,
  noteChild,
  ownRunIdentity,
  processStartTime,
  type RunIdentity,
  runDir,
} from '../../../internal/process/run-directory.ts'
import { loadPseudoTerminals } from '../../../internal/pty/pseudo-terminal.ts'
import { bash, processesWith, runnerIn, scratch } from './scratch.ts'

/** Returns id and start of a process that has ended. */
async function dead(): Promise<RunIdentity> {
  const child = spawn('sleep', ['600'])
  const place = {
    ...ownRunIdentity(),
    pid: child.pid as number,
    start: processStartTime(child.pid as number) ?? 0,
  }
  child.kill('SIGKILL')
  await once(child, 'exit')
  return place
}

function live(env: Record<string, string> = {}) {
  const child = spawn('sleep', ['600'], { env: { PATH: process.env.PATH, ...env }, detached: true })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return {
    pid: child.pid as number,
    start: processStartTime(child.pid as number) ?? 0,
    exited: once(child, 'exit'),
  }
}

test('does nothing without the directory', async () => {
  expect(await cleanUpDeadProcesses(join(scratch(), 'none'))).toEqual({ runs: 0, processes: 0 })
})

test('finds child processes by their marker, and removes the files of a dead run', async () => {
  const dir = scratch()
  const place = await dead()
  const child = live({ ANODE_RUN: `${place.id}.3.` })
  writeFileSync(join(makeRunDirectory(dir, place), 'output.3'), 'x')
  expect(await cleanUpDeadProcesses(dir)).toEqual({ runs: 1, processes: 1 })
  expect((await child.exited)[1]).toBe('SIGTERM')
  expect(readdirSync(runDir(dir))).toEqual([])
})

test('ends the group of a recorded child, found by process id and start time', async () => {
  const dir = scratch()
  const place = await dead()
  const child = live()
  noteChild(makeRunDirectory(dir, place), child.pid, child.start)
  expect(await cleanUpDeadProcesses(dir)).toEqual({ runs: 1, processes: 1 })
  expect((await child.exited)[1]).toBe('SIGKILL')
})

test('does not end another process that has the id of a recorded child', async () => {
  const dir = scratch()
  const place = await dead()
  const stranger = live()
  noteChild(makeRunDirectory(dir, place), stranger.pid, stranger.start - 1)
  expect(await cleanUpDeadProcesses(dir)).toEqual({ runs: 1, processes: 0 })
  expect(processStartTime(stranger.pid)).toBe(stranger.start)
})

test('removes a directory even if another process has the id of its dead owner', async () => {
  const dir = scratch()
  const other = live()
  makeRunDirectory(dir, { ...ownRunIdentity(), pid: other.pid, start: other.start + 1 })
  expect((await cleanUpDeadProcesses(dir)).runs).toBe(1)
})

test('keeps directories of running owners and other machines, and other files', async () => {
  const dir = scratch()
  const other = live()
  makeRunDirectory(dir, ownRunIdentity())
  makeRunDirectory(dir, { ...ownRunIdentity(), pid: other.pid, start: other.start })
  const abroad = { ...(await dead()), host: 'elsewhere-1' }
  const directory = makeRunDirectory(dir, abroad)
  mkdirSync(join(runDir(dir), 'something else'))
  expect((await cleanUpDeadProcesses(dir)).runs).toBe(0)
  expect(readdirSync(runDir(dir))).toHaveLength(4)
  utimesSync(directory, 0, 0)
  expect((await cleanUpDeadProcesses(dir)).runs).toBe(1)
})

// Processes that try to escape a command without a sandbox: each form of start, each way to end,
// with real processes.

/** Each form starts `sleep N` so that its parents, session and environment do not point to the command. */
const forms: Readonly<Record<string, (n: string) => string>> = {
  'a session of its own': (n) => `env -i setsid sleep ${n} &`,
  'forked twice': (n) => `( ( env -i setsid sleep ${n} & ) & )`,
  'forked by setsid, all closed': (n) => `env -i setsid -f sleep ${n} <&- >&- 2>&-`,
  'without hang-up': (n) => `nohup env -i setsid -f sleep ${n} >/dev/null 2>&1`,
  'in a shell of its own': (n) => `env -i setsid -f bash -c 'sleep ${n} & disown; exit'`,
  'under job control': (n) => `set -m; ( exec env -i setsid -f sleep ${n} ) & disown; set +m`,
  'deaf to signals': (n) => `env -i setsid -f bash -c 'trap "" TERM HUP INT; sleep ${n}; sleep ${n}'`,
  'by a coprocess': (n) => `coproc env -i setsid -f sleep ${n}; wait`,
  'with another name': (n) => `exec -c -a other setsid -f sleep ${n} &`,
  'behind nice and timeout': (n) => `nice timeout 600 env -i setsid -f sleep ${n}`,
  'of python': (n) =>
    `python3 -c "import subprocess as s; s.Popen(['sleep','${n}'], env={}, start_new_session=True, close_fds=True)"`,
  'of perl': (n) =>
    `perl -MPOSIX -e 'exit if fork; POSIX::setsid(); exit if fork; %ENV=(); exec "/bin/sleep", "${n}"'`,
  'of node': (n) =>
    `node -e "require('child_process').spawn('/bin/sleep',['${n}'],{detached:true,stdio:'ignore',env:{}}).unref()"`,
}

const sandbox: SandboxRequest = {
  ...{ kind: 'workspace', folders: [], protected: [], network: [], write: [], revealed: [], opened: [] },
  history: false,
}

/** A duration that no other test uses. */
let last = 0
const newSleep = () => `${7_000_000 + (process.pid % 100_000) * 10 + ++last}`

const until = async (isSo: () => boolean) => {
  for (let i = 0; i < 1000 && !isSo(); i++) await sleep(10)
  return isSo()
}

const isThere = (n: string) => processesWith(`sleep\0${n}`).length > 0

/** Returns one script with all forms, which ends when all are running. */
function openAll(dir: string) {
  const all = Object.entries(forms).map(([form, start]) => ({ form, n: newSleep(), start }))
  const lines = all.map(({ n, start }) => `(${start(n)}\n)`)
  const file = join(dir, 'all.sh')
  writeFileSync(file, lines.join('\n'))
  return {
    line: `bash '${file}'; until [ -e all ]; do sleep 0.02; done`,
    up: async () => {
      if (!(await until(() => all.every(({ n }) => isThere(n))))) throw new Error('not all have started')
    },
    /** Returns the forms whose process still runs. */
    left: () => all.filter(({ n }) => isThere(n)).map(({ form }) => form),
    close: () => writeFileSync(join(dir, 'all'), ''),
  }
}

const ways = ['ends', 'is stopped', 'times out', 'ends with its runner'] as const

test.for(ways)('no process survives a command that %s, in any form', { timeout: 60_000 }, async (way) => {
  const dir = scratch()
  const all = openAll(dir)
  const stop = new AbortController()
  const runner = runnerIn(dir)
  const timeout = way === 'times out' && { timeoutMs: 6000 }
  const run = runner.run(bash(all.line, dir, { sandbox, signal: stop.signal, ...timeout }))
  await all.up()
  if (way === 'ends') all.close()
  if (way === 'is stopped') stop.abort()
  if (way === 'ends with its runner') await runner.close()
  const { exit, ended, leaked } = await run
  if (way === 'ends') expect({ exit, leaked }).toEqual({ exit: 0, leaked: expect.any(Number) })
  else expect(ended).toBe(way === 'times out' ? 'timeout' : 'cancelled')
  const left = all.left()
  console.log(`survived/tried ${left.length}/${Object.keys(forms).length} (a command that ${way})`)
  expect(left).toEqual([])
})

test('no process survives the end of Anode, in any form', { timeout: 60_000 }, async () => {
  const dir = scratch()
  const directory = join(dir, 'run')
  mkdirSync(directory)
  const id = `${createUlid()}.`
  const all = openAll(dir)
  const plan = {
    file: 'bash',
    args: ['-c', all.line],
    cwd: dir,
    env: { PATH: process.env.PATH ?? '', ANODE_RUN: `${id}1.` },
  }
  const limited = withLimitMark(plan, `${id}1.`)
  if (!limited) throw new Error('no mark')
  const child = spawn(limited.plan.file, [...limited.plan.args], {
    cwd: dir,
    env: plan.env,
    detached: true,
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  await all.up()
  await new Promise<void>((resolve) => startWatchdog(id, directory, resolve).hangUp())
  await ended
  expect(all.left()).toEqual([])
})

test('closing a terminal ends its processes, in any form', { timeout: 60_000 }, async ({ skip }) => {
  const open = await loadPseudoTerminals().catch(() => undefined)
  if (!open) return skip('no pseudo terminals here')
  const dir = scratch()
  const terminal = await runnerIn(dir).terminal({
    ...{ open, file: 'bash', args: ['--norc'], cwd: dir, rows: 20, columns: 200, sandbox },
    onOutput: () => undefined,
  })
  const all = openAll(dir)
  terminal.write(`${all.line}\n`)
  await all.up()
  await terminal.stop()
  expect(all.left()).toEqual([])
})

test('marks of children begin with the mark of their run, and no two of a run are equal', () => {
  const id = '01KB0ZZZZZZZZZZZZZZZZZZZZZ'
  const marks = Array.from({ length: 2000 }, (_, i) => limitMarkOf(`${id}.${i + 1}.`) as string)
  expect(new Set(marks).size).toBe(2000)
  expect(marks.every((mark) => mark.length === 18 && mark.startsWith(limitMarkOf(`${id}.`) as string))).toBe(
    true,
  )
  // rejects numbers above the limits of the system
  expect(marks.every((mark) => BigInt(mark) < 2n ** 64n - 1n)).toBe(true)
  expect(limitMarkOf('MARK0.1.1.')).toBeUndefined()
})

test('reports a missing program, and changes only the process limit', async () => {
  const dir = scratch()
  const { run } = runnerIn(dir)
  await expect(run({ file: 'no-such-program', args: [], cwd: dir, sandbox })).rejects.toMatchObject({
    failure: { code: 'not_found', message: 'program not found: no-such-program' },
  })
  const plan = { file: 'bash', args: [], cwd: dir, env: { PATH: '/nowhere' } }
  expect(withLimitMark(plan, '01KB0ZZZZZZZZZZZZZZZZZZZZZ.1.')).toBeUndefined()
  const line = 'env | grep -v -e ANODE_RUN -e TMP -e TEMP | sort; ulimit -a'
  const [plain, marked] = [await run(bash(line, dir)), await run(bash(line, dir, { sandbox }))]
  const differing = marked.stdout.text.split('\n').filter((text) => !plain.stdout.text.includes(text))
  expect(differing).toEqual([expect.stringMatching(/^file locks .*\d{18}$/)])
  expect(readFileSync('/proc/self/limits', 'utf8')).toMatch(/Max file locks +unlimited/)
})
