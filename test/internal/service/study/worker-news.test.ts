// What a worker tells is taken from the entries that it writes, and only from those that were written.
import { expect, test } from 'vitest'
import { reportWorkerNews, type WorkerNews } from '../../../../internal/service/study/worker-news.ts'
import { openJournal } from '../../../../internal/store/journal/sqlite.ts'
import { line } from '../../../support/journal-contract.ts'
import { scratch } from '../../../support/scratch.ts'

test('started, returned and ended', async () => {
  const heard: WorkerNews[] = []
  const journal = reportWorkerNews(await openJournal(scratch()), (news) => heard.push(news))
  await journal.create('S', line('study'), {})
  const result = { end: 'partial', reason: 'no_evidence', claims: [], gaps: ['x'], spent: { ms: 7 } }
  await journal.append('S', [
    line('task.started', { task: 't1', attempt: 2 }),
    line('step', { task: 't1' }),
    line('task.lost', { task: 't2', why: 'given back' }),
    line('task.ended', { task: 't1', result }, 'end:t1'),
  ])
  await journal.append('S', [line('task.ended', { task: 't1', result }, 'end:t1')])
  expect(heard).toEqual([
    { event: 'started', study: 'S', task: 't1', attempt: 2 },
    { event: 'returned', study: 'S', task: 't2', why: 'given back' },
    { event: 'ended', study: 'S', task: 't1', end: 'partial', reason: 'no_evidence', claims: 0, ms: 7 },
  ])
  await journal.close()
})
