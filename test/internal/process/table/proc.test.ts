// The process table in /proc.
import { spawn } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import {
  carriesMark,
  hasProc,
  lastPid,
  listPids,
  pidsBetween,
  readProcess,
} from '../../../../internal/process/table/proc.ts'

const linux = test.runIf(hasProc())

function child(args: string[], env: Record<string, string> = {}) {
  const started = spawn('sleep', args, {
    env: { PATH: process.env.PATH, ...env },
    detached: true,
    stdio: 'ignore',
  })
  onTestFinished(() => {
    started.kill('SIGKILL')
  })
  return started.pid as number
}

linux('tells parents, group, session and start', () => {
  const pid = child(['600'])
  const me = readProcess('self')
  const proc = readProcess(pid)
  expect(proc).toMatchObject({ pid, parent: process.pid, group: pid, session: pid, zombie: false })
  expect(proc?.start).toBeGreaterThanOrEqual(me?.start ?? Number.NaN)
  expect(me?.pid).toBe(process.pid)
  expect(listPids()).toContain(pid)
})

linux('reads a name with spaces and parentheses', async () => {
  // the name is that of the main thread, which a program may choose
  const started = spawn('bash', ['-c', 'echo -n "a) S 1 (b" > /proc/$$/comm; echo; read'], { stdio: 'pipe' })
  onTestFinished(() => {
    started.kill('SIGKILL')
  })
  await new Promise((resolve) => started.stdout.once('data', resolve))
  expect(readProcess(started.pid as number)).toMatchObject({ pid: started.pid, parent: process.pid })
})

linux('nobody is there under an id that is free', () => {
  expect(readProcess(2 ** 30)).toBeUndefined()
  expect(carriesMark(2 ** 30, 'x')).toBe(false)
})

linux('finds a marker wherever it stands in the environment', () => {
  expect(carriesMark(child(['600'], { MARK: 'abc.1.' }), 'abc.1.')).toBe(true)
  expect(carriesMark(child(['600'], { MARK: 'abc.12.' }), 'abc.1.')).toBe(false)
  expect(carriesMark(child(['600'], { A: 'x'.repeat(100_000), Z: 'abc.1.' }), 'abc.1.')).toBe(true)
})

linux('ids handed out after a process hold its children', () => {
  const before = lastPid() ?? Number.NaN
  const pid = child(['600'])
  const between = pidsBetween(before, lastPid(), 100_000)
  // only undefined when the counter went round just now
  if (between) expect(between).toContain(pid)
})

test.each([
  [10, 10, []],
  [10, 13, [11, 12, 13]],
  [10, 9, undefined],
  [10, 300, undefined],
  [10, undefined, undefined],
])('ids between %s and %s', (first, last, ids) => {
  expect(pidsBetween(first, last)).toEqual(ids)
})
