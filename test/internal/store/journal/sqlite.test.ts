// The local journal does what every journal has to, survives its process, and takes over the logs of others.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openJournal } from '../../../../internal/store/journal/sqlite.ts'
import { journalContract, line } from '../../../support/journal-contract.ts'
import { scratch } from '../../../support/scratch.ts'

journalContract('the local journal', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'anode-journal-'))
  const clock = { now: 1_700_000_000_000 }
  return {
    open: () => openJournal(dir, { now: () => clock.now }),
    pass: async (ms) => {
      clock.now += ms
    },
    remove: async () => rmSync(dir, { recursive: true, force: true }),
  }
})

test('keeps acknowledged data after the journal is closed and opened again', async () => {
  const dir = scratch()
  const first = await openJournal(dir)
  await first.create('S1', line('study', { project: '/p', created: 5 }), { tokens: 100 })
  await first.claim({ study: 'S1', task: 't1', epoch: 0 }, 'w', 60_000)
  await first.close()
  const second = await openJournal(dir)
  expect(await second.read('S1', 0, 10)).toHaveLength(1)
  expect(await second.leases('S1')).toHaveLength(1)
  await second.close()
})

test('copies the lines of another log once, with their numbers and times', async () => {
  const journal = await openJournal(scratch())
  const lines = [
    { seq: 1, ts: 70, kind: 'study', data: { project: '/p', created: 60 } },
    { seq: 2, ts: 80, kind: 'a', key: 'k', data: { n: 1 } },
  ]
  expect(await journal.mirror('S1', lines)).toBe(2)
  expect(await journal.mirror('S1', lines)).toBe(2)
  expect(await journal.read('S1', 0, 10)).toEqual(lines)
  expect(journal.studies.find('last', '/p')).toMatchObject([{ id: 'S1', created: 60, lines: 2 }])
  await expect(journal.mirror('S1', [{ seq: 4, ts: 90, kind: 'b', data: {} }])).rejects.toThrow(
    'lacks line 3',
  )
  expect(await journal.read('S1', 2, 10)).toEqual([])
  await journal.close()
})
