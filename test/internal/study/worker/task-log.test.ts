// The log that all tasks of a worker process share: read once, up to date at each reading, for few studies.
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createUlid } from '../../../../internal/base/ids.ts'
import type { Journal } from '../../../../internal/store/journal/journal.ts'
import { openJournal } from '../../../../internal/store/journal/sqlite.ts'
import { makeStudyEntry } from '../../../../internal/study/log/entries.ts'
import { readTaskLog } from '../../../../internal/study/worker/task-log.ts'
import { choice, rng } from '../../../support/rng.ts'
import { scratch } from '../../../support/scratch.ts'
import { head, task } from '../../../support/study.ts'

const tasks = Array.from({ length: 40 }, (_, i) => task(i + 1, `part ${i + 1}`))
const plan = makeStudyEntry('plan', { tasks, dropped: [], notices: [], of: 'rules' })
const start = (n: number) =>
  makeStudyEntry('task.started', { task: `t${n}`, epoch: 1, owner: 'w', attempt: 1, pid: 1, host: 'h' })

/** Opens a journal whose readings are counted by the lines that they return. */
async function openCounted() {
  const opened = await openJournal(scratch())
  onTestFinished(() => opened.close())
  const counts = { lines: 0, readings: 0 }
  const counted: Pick<Journal, 'read'> = {
    async read(study, after, limit) {
      const lines = await opened.read(study, after, limit)
      counts.lines += lines.length
      counts.readings++
      return lines
    },
  }
  const journal: Journal = Object.assign(Object.create(opened) as Journal, counted)
  const begin = async () => {
    const id = createUlid()
    await opened.create(id, makeStudyEntry('study', head({ id })), {})
    await opened.append(id, [plan])
    return id
  }
  return { journal, opened, counts, begin }
}

test('64 tasks share one log, and read each line once', async () => {
  const { journal, opened, counts, begin } = await openCounted()
  const study = await begin()
  const logs = await Promise.all(Array.from({ length: 64 }, () => readTaskLog(journal, study)))
  expect(new Set(logs.map(({ state }) => state)).size).toBe(1)
  expect(new Set(logs.map(({ lines }) => lines)).size).toBe(1)
  expect(counts.lines).toBe(2)
  for (let n = 1; n <= 40; n++) {
    await opened.append(study, [start(n)])
    const { state, lines, seq } = await readTaskLog(journal, study)
    expect([seq, lines.length, state.tasks.get(`t${n}`)?.status]).toEqual([n + 2, n + 2, 'leased'])
  }
  // each reading also returns the last known line, to compare it
  expect(counts.lines).toBe(2 + 2 * 40)
})

test('each reading has all lines that were written before it began, in any schedule', async () => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = rng(seed)
    const { journal, opened, counts, begin } = await openCounted()
    const study = await begin()
    let last = 2
    const readings: Promise<void>[] = []
    const read = async (from: number) => {
      const { seq, lines, state } = await readTaskLog(journal, study)
      expect(seq, `seed ${seed}`).toBeGreaterThanOrEqual(from)
      expect(lines.slice(0, seq).map((line) => line.seq)).toEqual(
        Array.from({ length: seq }, (_, i) => i + 1),
      )
      expect(state.seq).toBeGreaterThanOrEqual(seq)
    }
    for (let i = 0; i < 60; i++) {
      const next = choice(random, ['write', 'read', 'read', 'turn'])
      if (next === 'write') {
        await opened.append(study, [start(1 + (i % 40))])
        last++
      } else if (next === 'read') readings.push(read(last))
      else await turn()
    }
    await Promise.all(readings)
    expect(counts.readings, `seed ${seed}`).toBeLessThanOrEqual(readings.length)
  }
})

test('keeps the last status with its line, and a stop after a reading has a higher number', async () => {
  const { journal, opened, begin } = await openCounted()
  const study = await begin()
  expect((await readTaskLog(journal, study)).status).toBeUndefined()
  await opened.append(study, [makeStudyEntry('status', { status: 'running' })])
  const before = await readTaskLog(journal, study)
  await opened.append(study, [makeStudyEntry('status', { status: 'cancelled' }), start(1)])
  const after = await readTaskLog(journal, study)
  expect([before.seq, before.status]).toEqual([3, { seq: 3, status: 'running' }])
  expect([after.seq, after.status]).toEqual([5, { seq: 4, status: 'cancelled' }])
})

test('reads a log again that the journal has lost, and drops the logs of old studies', async () => {
  const { journal, opened, counts, begin } = await openCounted()
  const first = await begin()
  const known = await readTaskLog(journal, first)
  for (let i = 0; i < 4; i++) await readTaskLog(journal, await begin())
  counts.lines = 0
  expect((await readTaskLog(journal, first)).state).not.toBe(known.state)
  expect(counts.lines).toBe(2)
  const other = await begin()
  const stale = await readTaskLog(journal, other)
  // a restored server has fewer lines than this process has read
  const behind: Pick<Journal, 'read'> = {
    read: async (id, after) => opened.read(id, after, after === 0 ? 1 : 0),
  }
  Object.assign(journal, behind)
  const restored = await readTaskLog(journal, other)
  expect(restored.state).not.toBe(stale.state)
  expect(restored.seq).toBe(1)
  await expect(readTaskLog(journal, createUlid())).rejects.toThrow('unknown study')
})
