// Who belongs to a command: the ways out of a process group and how each is still found.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { killProcessFamily, signalProcess } from '../../../../internal/process/process-family.ts'
import {
  carriesMark,
  type FamilyProcess,
  findDescendants,
  findDescendantsByPs,
  hasProc,
  lastPid,
  listPids,
  pidsBetween,
  readProcess,
} from '../../../../internal/process/table/descendants.ts'

/** Starts a script as the runner does; `up` on its output says that all is there. */
async function family(script: string) {
  const mark = `MARK${Math.random()}.1.`
  const at = performance.now()
  const child = spawn('bash', ['-c', `${script}\necho up; read`], {
    env: { PATH: process.env.PATH, ANODE_RUN: mark },
    detached: true,
  })
  const pid = child.pid as number
  await once(child.stdout, 'data')
  const whole = { mark, leader: { pid, start: readProcess(pid)?.start, at } }
  onTestFinished(async () => {
    await killProcessFamily(whole, 0)
  })
  return { whole, pid }
}

test.each([
  ['none', '', 0],
  ['in the background', 'sleep 60 &', 1],
  ['in its own session', 'setsid sleep 60 &', 1],
  ['forked twice, in its own session', '(setsid sleep 60 >&- 2>&- &); sleep 0.1', 1],
  ['with a cleared environment', 'env -i sleep 60 &', 1],
  ['with a cleared environment, in its own session', 'env -i setsid sleep 60 &', 1],
  ['with a cleared environment, orphaned', '(env -i sleep 60 &); sleep 0.1', 1],
  ['in its own group under job control', 'set -m; env -i sleep 60 & set +m', 1],
  ['many', 'for i in 1 2 3 4 5; do sleep 60 & done', 5],
])('finds the descendants: %s', async (_name, script, count) => {
  const { whole, pid } = await family(script)
  const found = await findDescendants(whole)
  expect(found).toContainEqual({ pid, group: pid, start: expect.any(Number) })
  expect(found).toHaveLength(count + 1)
})

test('finds the same processes late, after the time of the short scan', async () => {
  const { whole } = await family('setsid sleep 60 & sleep 60 &')
  expect(await findDescendants({ ...whole, leader: { ...whole.leader, at: -10_000 } })).toHaveLength(3)
})

test('finds all descendants by the marker alone', async () => {
  const { whole } = await family('setsid sleep 60 & (sleep 60 &)')
  expect(await findDescendants({ mark: whole.mark })).toHaveLength(3)
})

test('finds the same processes with `ps`', async () => {
  const { whole } = await family('setsid sleep 60 & (sleep 60 &) ; env -i sleep 60 &')
  const sorted = (members: FamilyProcess[]) =>
    members.sort((a, b) => a.pid - b.pid).map(({ pid, group }) => ({ pid, group }))
  expect(sorted(await findDescendantsByPs(whole))).toEqual(sorted(await findDescendants(whole)))
})

test('ignores ended processes and unrelated processes', async () => {
  const { whole } = await family('')
  const other = await family('sleep 60 &')
  signalProcess(-whole.leader.pid, 'SIGKILL')
  for (let i = 0; i < 3_000 && (await findDescendants(whole)).length > 0; i++)
    await new Promise((r) => setTimeout(r, 10))
  expect(await findDescendants(whole)).toEqual([])
  expect(await findDescendants(other.whole)).toHaveLength(2)
})

// The process table in /proc.

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

linux('no process has a free id', () => {
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
