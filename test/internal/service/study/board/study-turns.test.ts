// Turns and messages of a study from its log.
import { expect, it } from 'vitest'
import { listMessages, listTurns } from '../../../../../internal/service/study/board/study-turns.ts'
import type { JournalLine } from '../../../../../internal/store/journal/journal.ts'

const line = (ts: number, kind: string, data: object) =>
  ({ seq: ts, ts, kind, data }) as unknown as JournalLine
const mail = [{ id: 'm1', from: 'lead', type: 'note', body: 'look there' }]
const lines = [
  line(1, 'task.started', { task: 't1', owner: 'h-1', attempt: 1 }),
  line(2, 'step', { task: 't1', mail }),
  line(3, 'step', { task: 't1', mail }),
  line(4, 'task.lost', { task: 't1', owner: 'h-1', why: 'its process is gone' }),
  line(5, 'task.started', { task: 't1', owner: 'h-2', attempt: 2 }),
  line(6, 'task.ended', { task: 't2' }),
  line(9, 'task.ended', { task: 't1' }),
  line(12, 'task.started', { task: 't3', owner: 'h-1', attempt: 1 }),
]

it('lists who worked on a task when, and why a turn brought nothing', () => {
  const turns = listTurns(lines)
  expect(turns.get('t1')).toEqual([
    { owner: 'h-1', attempt: 1, started: 1, ended: 4, lost: 'its process is gone' },
    { owner: 'h-2', attempt: 2, started: 5, ended: 9, lost: null },
  ])
  expect(turns.get('t3')?.[0]?.ended).toBeNull()
  const taken = [lines[0], line(3, 'task.started', { task: 't1', owner: 'h-2', attempt: 1 })]
  expect(listTurns(taken as JournalLine[]).get('t1')?.[0]).toMatchObject({
    ...{ ended: 3, lost: 'another worker went on' },
  })
  expect(turns.has('t2')).toBe(false)
})

it('lists each message once', () => {
  expect(listMessages(lines)).toEqual([{ from: 'lead', to: 't1', type: 'note', body: 'look there' }])
})
