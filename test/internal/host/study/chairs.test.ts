// A study is left alone once its coordinator's lease was missing for several looks in a row, and taken up when it is back.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { watchChairs } from '../../../../internal/host/study/chairs.ts'
import { openJournal } from '../../../../internal/store/journal/sqlite.ts'
import { chairTask } from '../../../../internal/study/lead/chair.ts'
import { line } from '../../../support/journal-contract.ts'
import { scratch } from '../../../support/scratch.ts'

test('a coordinator that is gone, and one that comes back', async () => {
  const journal = await openJournal(scratch())
  const job = { study: 'S', task: chairTask, epoch: 0 }
  await journal.create('S', line('study'), {})
  await journal.claim(job, 'lead', 60_000)
  const chairs = watchChairs(journal, 10, 3)
  const led = await chairs.begin('S')
  await sleep(60)
  expect(led?.aborted).toBe(false)
  await journal.release('S', chairTask, 'lead', false)
  const gone = new Promise((done) => led?.addEventListener('abort', done))
  await gone
  chairs.end('S')
  expect(await chairs.begin('S')).toBeUndefined()
  await journal.claim(job, 'lead again', 60_000)
  expect((await chairs.begin('S'))?.aborted).toBe(false)
  chairs.close()
  await journal.close()
})
