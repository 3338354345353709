// The board of a study: its tasks with their phases, and who worked when and said what.
import { expect, it } from 'vitest'
import type { JournalLine } from '../../../../internal/store/journal/journal.ts'
import { addStudyDetail, foldStudyBoard } from '../../../../internal/study/board/fold-board.ts'
import { makeStudyEntry } from '../../../../internal/study/log/entries.ts'
import { ended, studyOf, task } from '../../../support/study.ts'

const started = (id: string) =>
  makeStudyEntry('task.started', { task: id, epoch: 1, owner: 'h-1', attempt: 1, pid: 1, host: 'h' })
const ends = ['done', 'failed', 'killed', 'partial'] as const
const state = studyOf([
  makeStudyEntry('plan', {
    of: 'rules',
    tasks: [1, 2, 3, 4, 5, 6].map((n) => task(n, `part ${n}`)),
    dropped: [],
    notices: [],
  }),
  ...ends.flatMap((end, i) => [
    started(`t${i + 1}`),
    makeStudyEntry('task.ended', { task: `t${i + 1}`, result: ended(end) }),
  ]),
  started('t5'),
])

it('has a phase for each task', () => {
  const board = foldStudyBoard(state, true)
  expect(board.tasks.map(({ phase }) => phase)).toEqual([
    'done',
    'failed',
    'failed',
    'short',
    'running',
    'waiting',
  ])
  expect(board).toMatchObject({ abandoned: true, isOver: false })
  expect(board.tasks[0]).not.toHaveProperty('turns')
})

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
  const turnsOf = (log: readonly JournalLine[], id: string) =>
    addStudyDetail(foldStudyBoard(state, false), state, log).tasks.find((one) => one.id === id)?.turns
  expect(turnsOf(lines, 't1')).toEqual([
    { owner: 'h-1', attempt: 1, started: 1, ended: 4, lost: 'its process is gone' },
    { owner: 'h-2', attempt: 2, started: 5, ended: 9, lost: null },
  ])
  expect(turnsOf(lines, 't3')?.[0]?.ended).toBeNull()
  const taken = [lines[0], line(3, 'task.started', { task: 't1', owner: 'h-2', attempt: 1 })]
  expect(turnsOf(taken as JournalLine[], 't1')?.[0]).toMatchObject({
    ...{ ended: 3, lost: 'another worker continued' },
  })
  expect(turnsOf(lines, 't2')).toEqual([])
})

it('lists each message once', () => {
  const { mailbox } = addStudyDetail(foldStudyBoard(state, false), state, lines)
  expect(mailbox).toEqual([{ from: 'lead', to: 't1', type: 'note', body: 'look there' }])
})
