// Child processes with timeouts, aborts, floods and the sudden death of their parent: nothing is left
// and nothing hangs.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cleanUpDeadProcesses } from '../../internal/process/dead-runs.ts'
import { createRunner } from '../../internal/process/run-command.ts'
import { processesWith } from '../internal/process/scratch.ts'
import { quoteWord } from '../support/shell-word.ts'

const tries = Number(process.env.ANODE_FAULTS ?? 1)
const base = mkdtempSync(join(tmpdir(), 'anode-faults-'))
const host = join(base, 'host.mjs')
const dataDir = join(base, 'data dir')

beforeAll(async () => {
  mkdirSync(dataDir)
  const entryPoints = [join(import.meta.dirname, 'process-host.ts')]
  await build({
    entryPoints,
    outfile: host,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
})

afterAll(() => rmSync(base, { recursive: true, force: true }))

/** Scripts whose `MARK` processes are descendants of a different kind each; all say `up` when these run. */
const kinds = {
  child: 'echo up; bash -c "exec -a MARK sleep 60"; true',
  background: '(exec -a MARK sleep 60) & echo up; wait',
  nohup: 'nohup bash -c "exec -a MARK sleep 60" >/dev/null 2>&1 & echo up; sleep 60',
  setsid: 'setsid bash -c "exec -a MARK sleep 60" & echo up; sleep 60',
  'double fork': '((setsid bash -c "exec -a MARK sleep 60" <&- >&- 2>&- &) &) ; sleep 0.1; echo up; sleep 60',
  deaf: 'trap "" TERM HUP; setsid bash -c "trap \\"\\" TERM; : MARK; for i in $(seq 30); do sleep 1; done" & echo up; for i in $(seq 30); do sleep 1; done',
}

function tally(what: string, outcomes: readonly boolean[]) {
  const survived = outcomes.filter(Boolean).length
  console.log(`process ${what}: survived ${survived}/${outcomes.length}`)
  expect(survived).toBe(outcomes.length)
}

/** Whether every process with the mark is gone within the ten seconds that are allowed. */
async function gone(mark: string, within = 10_000): Promise<boolean> {
  const until = performance.now() + within
  while (processesWith(mark).length > 0) {
    if (performance.now() > until) return false
    await sleep(50)
  }
  return true
}

async function repeat(work: (mark: string) => Promise<boolean>): Promise<boolean[]> {
  const outcomes: boolean[] = []
  for (let i = 0; i < tries; i++) outcomes.push(await work(`mark-${process.pid}-${performance.now()}`))
  return outcomes
}

const scriptOf = (kind: keyof typeof kinds, mark: string) =>
  kinds[kind]
    .replaceAll('MARK', mark)
    .replace('echo up', `echo up; touch ${quoteWord(join(base, `${mark}.up`))}`)
const names = Object.keys(kinds) as (keyof typeof kinds)[]

test.each(names)('a timeout ends all processes of a command: %s', async (kind) => {
  const runner = createRunner({ dataDir, env: process.env })
  const outcomes = await repeat(async (mark) => {
    const args = ['-c', scriptOf(kind, mark)]
    const { ended } = await runner.run({ file: 'bash', args, cwd: base, timeoutMs: 300 })
    return ended === 'timeout' && processesWith(mark).length === 0
  })
  await runner.close()
  tally(`timeout, ${kind}`, outcomes)
})

test.each(names)('an abort ends all processes of a command: %s', async (kind) => {
  const runner = createRunner({ dataDir, env: process.env })
  const outcomes = await repeat(async (mark) => {
    const abort = new AbortController()
    const args = ['-c', scriptOf(kind, mark)]
    const onOutput = () => abort.abort()
    const { ended } = await runner.run({ file: 'bash', args, cwd: base, signal: abort.signal, onOutput })
    return ended === 'cancelled' && processesWith(mark).length === 0
  })
  await runner.close()
  tally(`abort, ${kind}`, outcomes)
})

/** Starts the host and waits until the script's processes are there. */
async function startHost(script: string, mark: string, ...rest: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [host, dataDir, script, ...rest], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  while (!existsSync(join(base, `${mark}.up`))) await sleep(10)
  // the script reports that it has started its processes, before these have changed their names
  await sleep(100)
  return child
}

test.each(names)('kill -9 of the parent ends all processes of a command: %s', async (kind) => {
  const outcomes = await repeat(async (mark) => {
    const child = await startHost(scriptOf(kind, mark), mark)
    child.kill('SIGKILL')
    return (await gone(mark)) && (await emptied())
  })
  tally(`kill -9 of the parent, ${kind}`, outcomes)
})

test.each(['background', 'deaf'] as const)(
  'kill -9 of the parent of a job ends all processes of the job: %s',
  async (kind) => {
    const outcomes = await repeat(async (mark) => {
      const child = await startHost(scriptOf(kind, mark), mark, '600000', '1048576', 'job')
      const ran = processesWith(mark).length > 0
      child.kill('SIGKILL')
      return ran && (await gone(mark)) && (await emptied())
    })
    tally(`kill -9 of the parent of a job, ${kind}`, outcomes)
  },
)

/**
 * Waits up to 10 s for the removal of the dead run's directory by the watchdog. Returns whether
 * it was removed.
 */
async function emptied(): Promise<boolean> {
  for (let i = 0; i < 100; i++) {
    if (readdirSync(join(dataDir, 'run')).length === 0) return true
    await sleep(100)
  }
  return false
}

test.each(names)('kill -9 of parent and watchdog, then the next start: %s', async (kind) => {
  const outcomes = await repeat(async (mark) => {
    const child = await startHost(scriptOf(kind, mark), mark)
    for (const pid of watchdogs(dataDir)) process.kill(pid, 'SIGKILL')
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    const left = processesWith(mark).length
    const { processes } = await cleanUpDeadProcesses(dataDir)
    return (
      left > 0 && processes > 0 && (await gone(mark, 0)) && readdirSync(join(dataDir, 'run')).length === 0
    )
  })
  tally(`kill -9 of parent and watchdog, ${kind}`, outcomes)
})

function watchdogs(directory: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const line = readFileSync(`/proc/${name}/cmdline`, 'utf8')
      return line.includes('anode-watchdog') && line.includes(directory) ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

interface Told {
  ended?: string
  exit: number | null
  out: number
  kept: number
  invalid: boolean
  leaked: number
  whole?: { bytes: number; cut: boolean; text: number; lines: number }
  maxRssKiB: number
}

function runHost(script: string, timeout = 600_000): Told {
  const args = [host, dataDir, script, String(timeout)]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }).split('\n')[1] ?? '') as Told
}

test('a flood is counted to the byte and held in bounded memory', () => {
  const mib = tries > 1 ? 2048 : 256
  const quiet = runHost('true')
  const told = runHost(`yes abcdefghijklmno | head -c ${mib}M`)
  const extra = Math.round((told.maxRssKiB - quiet.maxRssKiB) / 1024)
  console.log(`process flood of ${mib} MiB: ${extra} MiB above an idle run`)
  expect(told).toMatchObject({ exit: 0, out: mib * 1024 * 1024, leaked: 0 })
  expect(told.whole).toMatchObject({ bytes: mib * 1024 * 1024, cut: true })
  tally('flood', [extra < 100])
})

test('output that fits into the file is stored in full', () => {
  const told = runHost('seq 1 4000000')
  tally('whole output', [
    told.whole?.cut === false && told.whole.lines === 4_000_000 && told.whole.text === told.out,
  ])
})

test('binary output is text with replacements, and flagged', () => {
  const told = runHost('head -c 5000000 /dev/urandom')
  tally('binary output', [told.out === 5_000_000 && told.invalid && told.kept > 0])
})

test.each([
  ['closes its output and goes on', 'exec >&- 2>&-; sleep 0.5; exit 3', 3],
  ['writes into a closed pipe', '(sleep 0.2; yes) | head -n 1; exit 0', 0],
  ['stops itself', 'kill -STOP $$', null],
  ['has a child that is stopped', 'sleep 60 & kill -STOP $!; exit 5', 5],
])('a child process that %s', (what, script, exit) => {
  const told = runHost(script, 1000)
  tally(`child that ${what}`, [told.exit === exit])
})

test('a full disk loses only the end of the stored output', (context) => {
  const small = join(base, 'small')
  mkdirSync(small)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', small], { stdio: 'ignore' })
  } catch {
    context.skip('no right to mount a small file system')
  }
  try {
    const args = [host, small, 'yes 0123456789 | head -c 8M; exit 4']
    const lines = execFileSync(process.execPath, args, { encoding: 'utf8' }).split('\n')
    const told = JSON.parse(lines[1] ?? '') as Told
    const held = told.exit === 4 && told.out === 8 * 1024 * 1024 && told.whole?.cut === true
    tally('full disk', [held && readdirSync(join(small, 'run')).length === 0])
  } finally {
    execFileSync('umount', [small])
  }
})
