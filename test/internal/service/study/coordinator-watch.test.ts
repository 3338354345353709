// The watch over coordinators: a study is dropped after its lease is missing in several checks in a row, and
// accepted again when the coordinator is back.
import { expect, test, vi } from 'vitest'
import { watchCoordinators } from '../../../../internal/service/study/coordinator-watch.ts'
import { openJournal } from '../../../../internal/store/journal/sqlite.ts'
import { coordinatorTask } from '../../../../internal/study/coordinator/coordinator-lease.ts'
import { line } from '../../../support/journal-contract.ts'
import { scratch } from '../../../support/scratch.ts'

test('drops a study whose coordinator is gone, and accepts it again when one is back', async () => {
  const journal = await openJournal(scratch())
  const job = { study: 'S', task: coordinatorTask, epoch: 0 }
  await journal.create('S', line('study'), {})
  await journal.claim(job, 'lead', 60_000)
  const coordinators = watchCoordinators(journal, 10, 3)
  const led = await coordinators.begin('S')
  const looks = vi.spyOn(journal, 'leases')
  await expect.poll(() => looks.mock.calls.length).toBeGreaterThan(5)
  expect(led?.aborted).toBe(false)
  await journal.release('S', coordinatorTask, 'lead', false)
  const gone = new Promise((done) => led?.addEventListener('abort', done))
  await gone
  coordinators.end('S')
  expect(await coordinators.begin('S')).toBeUndefined()
  await journal.claim(job, 'lead again', 60_000)
  expect((await coordinators.begin('S'))?.aborted).toBe(false)
  coordinators.close()
  await journal.close()
})
