// Which tasks are over, under which key their ends are written, and what ends are called.
import { expect, test } from 'vitest'
import { makeStudyEntry, type TaskResult } from '../../../../internal/study/log/entries.ts'
import {
  endKey,
  isLimited,
  isStudyOver,
  isTaskOver,
  nameOutcome,
  nameTaskEnd,
} from '../../../../internal/study/log/task-end.ts'
import { ended, studyOf, task } from '../../../support/study.ts'

type New = ReturnType<typeof makeStudyEntry>
const plan = makeStudyEntry('plan', { tasks: [task(1, 'a')], dropped: [], notices: [], of: 'rules' })
const state = (...entries: New[]) => studyOf([plan, ...entries])
const over = (id: string, result: TaskResult) => makeStudyEntry('task.ended', { task: id, result })

test('a task that a limit has ended can be opened again and then ends under another key', () => {
  const now = state(over('t1', ended('budget')))
  const first = now.tasks.get('t1')
  expect(isTaskOver(first)).toBe(true)
  expect(first && [isLimited(first), endKey(first)]).toEqual([true, 'end:t1'])
  const again = state(over('t1', ended('budget')), makeStudyEntry('task.reopened', { task: 't1' }))
  const second = again.tasks.get('t1')
  expect(isTaskOver(second)).toBe(false)
  expect(second && [second.status, endKey(second)]).toEqual(['open', 'end:t1:1'])
  expect(isLimited({ result: ended('failed') })).toBe(false)
  expect(isLimited({ notRun: 'deadline' })).toBe(true)
})

test('a study is over when nothing more happens by itself', () => {
  expect(isStudyOver(state())).toBe(false)
  for (const status of ['running', 'paused', 'done'] as const)
    expect(isStudyOver(state(makeStudyEntry('status', { status })))).toBe(status !== 'running')
})

const rules = { kind: 'rules' } as const

test.each([
  ['done', undefined, 'quotes found', 'done'],
  ['partial', 'gaps', 'partial', 'partial'],
  ['failed', 'no_evidence', 'nothing found', 'failed'],
  ['failed', 'store', 'failed', 'failed'],
  ['running', undefined, 'running', 'running'],
  ['cancelled', 'on request', 'cancelled', 'cancelled'],
] as const)('the name of the status %s (%s)', (status, reason, byRules, byModel) => {
  expect(nameOutcome({ model: rules, status, reason })).toBe(byRules)
  for (const kind of ['llm', 'script'] as const)
    expect(nameOutcome({ model: { kind }, status, reason })).toBe(byModel)
})

test('rules never claim that a task is done', () => {
  expect(['done', 'partial', 'not_run'].map((end) => nameTaskEnd(rules, end))).toEqual([
    'found',
    'partial',
    'not run',
  ])
  expect(nameTaskEnd({ kind: 'llm' }, 'done')).toBe('done')
})
