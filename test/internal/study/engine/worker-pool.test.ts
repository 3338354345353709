// Worker processes: the wanted number, restarts after a death, a limit of restarts, and their end.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { processExists } from '../../../../internal/base/process-identity.ts'
import { createRunner } from '../../../../internal/process/run-command.ts'
import { createWorkerPool, divideSlots } from '../../../../internal/study/engine/worker-pool.ts'

/** Reads its order, prints it, and runs until standard input closes. */
const worker = `process.stdin.on('data',(d)=>process.stderr.write('order '+d)).on('end',()=>process.exit(0))`

function crew(script: string, signal = new AbortController().signal, slots = 16) {
  const dataDir = mkdtempSync(join(tmpdir(), 'anode-crew-'))
  const runner = createRunner({ dataDir, env: { PATH: process.env['PATH'] } })
  const gone: number[] = []
  const said: string[] = []
  const made = createWorkerPool({
    signal,
    spawn: runner.spawn,
    file: process.execPath,
    args: ['-e', script],
    cwd: dataDir,
    env: { PATH: process.env['PATH'] ?? '' },
    slots,
    order: (slots) => ({ study: 'S1', slots }),
    gone: async (pid) => void gone.push(pid),
    log: (text) => void said.push(text),
  })
  onTestFinished(async () => {
    await runner.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return { made, gone, said }
}
const until = async (what: () => boolean) => {
  while (!what()) await sleep(10)
}

test.each([
  [1, 2, [1]],
  [8, 2, [8]],
  [9, 2, [5, 4]],
  [17, 2, [6, 6, 5]],
  [32, 2, [8, 8, 8, 8]],
  [33, 2, [9, 8, 8, 8]],
  [256, 2, [64, 64, 64, 64]],
  [256, 64, Array.from({ length: 32 }, () => 8)],
])('divides %i slots with %i processors', (slots, processors, expected) => {
  expect(divideSlots(slots, processors)).toEqual(expected)
})

test('no slots need no process', () => {
  expect(divideSlots(0, 2)).toEqual([])
})

test('any number of slots is divided evenly, and the sum is that number', () => {
  for (let slots = 1; slots <= 256; slots++)
    for (const processors of [1, 2, 3, 16]) {
      const shares = divideSlots(slots, processors)
      expect(shares.reduce((sum, share) => sum + share)).toBe(slots)
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1)
      expect(shares.length).toBeLessThanOrEqual(2 * processors)
    }
})

test('starts a process only if the others have too few slots', async () => {
  const { made } = crew(worker)
  await made.ensure(1)
  await made.ensure(8)
  expect(made.pids).toHaveLength(1)
  await Promise.all([made.ensure(9), made.ensure(16)])
  await made.ensure(100)
  expect(made.pids).toHaveLength(2)
  await made.close(false)
})

test('reports and replaces a worker that dies; at the end each worker ends by itself', async () => {
  const { made, gone, said } = crew(worker)
  await Promise.all([made.ensure(16), made.ensure(16)])
  await until(() => said.filter((text) => text === 'order {"study":"S1","slots":8}').length === 2)
  const [victim, other] = made.pids as [number, number]
  process.kill(victim, 'SIGKILL')
  await until(() => gone.includes(victim))
  expect(said).toContain(`worker ${victim} ended with SIGKILL`)
  await made.ensure(16)
  expect(made.pids).toHaveLength(2)
  expect(made.pids).toContain(other)
  const all = [...made.pids]
  await made.close(false)
  expect(all.filter(processExists)).toEqual([])
  expect(gone.toSorted()).toEqual([victim, ...all].toSorted())
  await made.ensure(2)
  expect(made.pids).toEqual([])
})

test('does not restart workers without end if they only die', async () => {
  const { made, gone } = crew('process.exit(3)')
  for (let i = 1; i <= 5; i++) {
    await made.ensure(1)
    await until(() => gone.length === i)
    await sleep(20)
  }
  await expect(made.ensure(1)).rejects.toMatchObject({ exit: 1, hint: expect.stringContaining('exit 3') })
  await made.close(false)
})

test('ends a worker by force if it does not end by itself', async () => {
  const { made } = crew(`process.on('SIGTERM',()=>{});process.stdin.resume();setInterval(()=>{},1000)`)
  await made.ensure(1)
  const [pid] = made.pids
  await made.close(true)
  expect(pid !== undefined && processExists(pid)).toBe(false)
})

test('once the study stops, tells workers at once, and starts no new one', async () => {
  const stop = new AbortController()
  const { made, gone, said } = crew(worker, stop.signal)
  await made.ensure(16)
  await until(() => said.length === 2)
  stop.abort()
  await until(() => gone.length === 2)
  await made.ensure(2)
  expect(made.pids).toEqual([])
  await made.close(false)
})
