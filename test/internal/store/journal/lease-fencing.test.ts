// Heartbeats of many leases in the local database: one write for those of one time, each with its own result.
import { expect, onTestFinished, test } from 'vitest'
import { openJournal } from '../../../../internal/store/journal/sqlite.ts'
import { startHeartbeat } from '../../../../internal/study/engine/heartbeat.ts'
import { line } from '../../../support/journal-contract.ts'
import { scratch } from '../../../support/scratch.ts'

async function openCounted() {
  const journal = await openJournal(scratch())
  const counts = { writes: 0 }
  const write = journal.db.write.bind(journal.db)
  journal.db.write = (work) => {
    counts.writes++
    return write(work)
  }
  await journal.create('S1', line('study', { project: '/p', created: 5 }), {})
  const fenceOf = async (n: number) => {
    const fence = { task: `t${n}`, epoch: 1, owner: 'w' }
    await journal.claim({ study: 'S1', task: fence.task, epoch: 0 }, fence.owner, 60_000)
    return fence
  }
  return { journal, counts, fenceOf }
}

test('writes the heartbeats of one turn together, and each has its own result', async () => {
  const { journal, counts, fenceOf } = await openCounted()
  onTestFinished(() => journal.close())
  const fences = await Promise.all(Array.from({ length: 64 }, (_, n) => fenceOf(n)))
  const [lost] = fences.splice(5, 1)
  if (!lost) throw new Error('no fence')
  await journal.release('S1', lost.task, 'w', false)
  counts.writes = 0
  const held = fences.map((fence) => journal.heartbeat('S1', fence, 90_000))
  const gone = journal.heartbeat('S1', lost, 90_000)
  const unknown = journal.heartbeat('S9', lost, 90_000)
  await expect(unknown).rejects.toThrow('S9')
  expect(await gone).toBe(false)
  expect(new Set(await Promise.all(held))).toEqual(new Set([true]))
  expect(counts.writes).toBe(1)
  expect((await journal.leases('S1')).every(({ untilMs }) => untilMs > Date.now() + 80_000)).toBe(true)
})

test('writes waiting heartbeats before the journal is closed', async () => {
  const { journal, fenceOf } = await openCounted()
  const beat = journal.heartbeat('S1', await fenceOf(1), 90_000)
  await journal.close()
  expect(await beat).toBe(true)
})

test('leases that began at different times send their heartbeats together', async () => {
  const { journal, counts, fenceOf } = await openCounted()
  onTestFinished(() => journal.close())
  const leases = 24
  let beats = 0
  let enough: () => void = () => undefined
  const many = new Promise<void>((resolve) => {
    enough = resolve
  })
  const started: { stop(): void }[] = []
  for (let n = 0; n < leases; n++) {
    const fence = await fenceOf(n)
    const options = { journal, study: 'S1', fence, leaseMs: 60_000, heartbeatMs: 400 }
    started.push(startHeartbeat(options, () => void (++beats >= 6 * leases && enough())))
  }
  counts.writes = 0
  const before = beats
  await many
  for (const one of started) one.stop()
  // timers of one process can still be due in different turns of a busy machine
  expect((beats - before) / counts.writes).toBeGreaterThan(4)
})
