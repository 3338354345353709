// What a coordinator does next, from the state alone.
import { expect, test } from 'vitest'
import {
  isCovered,
  lostTasks,
  readyTasks,
  replanTask,
  runningTasks,
} from '../../../../internal/study/coordinator/task-dispatch.ts'
import { makeStudyEntry } from '../../../../internal/study/log/entries.ts'
import { foldStudy, type StudyState } from '../../../../internal/study/log/state.ts'
import { ended, evidence, head, task } from '../../../support/study.ts'

type New = ReturnType<typeof makeStudyEntry>
const state = (...entries: New[]): StudyState =>
  foldStudy([makeStudyEntry('study', head()), ...entries].map((line, i) => ({ ...line, seq: i + 1, ts: i })))
const plan = (...tasks: ReturnType<typeof task>[]) =>
  makeStudyEntry('plan', { tasks, dropped: [], notices: [], of: 'rules' })
const started = (id: string, epoch = 1) =>
  makeStudyEntry('task.started', { task: id, epoch, owner: `w-${id}`, attempt: epoch, pid: 1, host: 'h' })
const over = (id: string, result = ended('done', { claims: ['C'] })) =>
  makeStudyEntry('task.ended', { task: id, result })
const ids = (list: readonly { task: { id: string } }[]) => list.map(({ task: { id } }) => id)

test('tasks wait for what they need, however that has ended', () => {
  const tasks = [task(1, 'a'), task(2, 'b', { dependsOn: ['t1'] }), task(3, 'c', { dependsOn: ['t2'] })]
  expect(ids(readyTasks(state(plan(...tasks))))).toEqual(['t1'])
  expect(ids(readyTasks(state(plan(...tasks), started('t1'))))).toEqual([])
  expect(ids(readyTasks(state(plan(...tasks), over('t1', ended('failed')))))).toEqual(['t2'])
  const skipped = makeStudyEntry('task.not_run', { task: 't2', reason: 'covered' })
  expect(ids(readyTasks(state(plan(...tasks), over('t1'), skipped)))).toEqual(['t3'])
})

test('a task is lost when its lease is gone and it has no end', () => {
  const now = state(plan(task(1, 'a'), task(2, 'b'), task(3, 'c')), started('t1'), started('t2'), over('t2'))
  expect(ids(runningTasks(now))).toEqual(['t1'])
  expect(ids(lostTasks(now, []))).toEqual(['t1'])
  expect(lostTasks(now, [{ task: 't1' }])).toEqual([])
})

test('what would add little is not run', () => {
  const tasks = Array.from({ length: 10 }, (_, i) => task(i + 1, `part ${i}`))
  const read = (n: number, canonical: string) =>
    makeStudyEntry('evidence', evidence(`E${n}.1`, 'x', { task: `t${n}`, canonical }))
  const calls = (n: number) =>
    makeStudyEntry('step', {
      task: `t${n}`,
      n: 1,
      request: `r${n}`,
      mail: [],
      notes: [],
      reply: {
        text: '',
        calls: Array.from({ length: 6 }, (_, i) => ({ id: `c${i}`, name: 'read', args: {} })),
        end: 'calls',
      },
      usage: { input: 1, output: 1, usd: 0 },
      ms: 1,
    })
  const nine = Array.from({ length: 9 }, (_, i) => i + 1)
  const order = nine.map((n) => `t${n}`)
  const same = state(plan(...tasks), ...nine.flatMap((n) => [calls(n), read(n, 'same.md'), over(`t${n}`)]))
  expect(isCovered(same, order)).toBe(true)
  const fresh = state(
    plan(...tasks),
    ...nine.flatMap((n) => [calls(n), read(n, `file-${n}.md`), over(`t${n}`)]),
  )
  expect(isCovered(fresh, order)).toBe(false)
  const eight = state(
    plan(...tasks),
    ...nine.slice(1).flatMap((n) => [calls(n), read(n, 'same.md'), over(`t${n}`)]),
  )
  expect(isCovered(eight, order.slice(1))).toBe(false)
})

test('what a stalled worker did not find is tried once more, and once only', () => {
  const stalled = ended('partial', { reason: 'stalled', gaps: ['for how long'] })
  const now = state(
    plan(task(1, 'a'), task(2, 'b')),
    over('t1', stalled),
    over('t2', ended('partial', { reason: 'steps', gaps: ['x'] })),
  )
  const more = replanTask(now, 't1')
  expect(more).toMatchObject({ id: 't3', objective: 'for how long', dependsOn: ['t1'] })
  expect(replanTask(now, 't2')).toBeUndefined()
  if (!more) throw new Error('no task')
  const then = state(
    plan(task(1, 'a')),
    over('t1', stalled),
    makeStudyEntry('task.added', { task: more, why: 'w', of: 't1' }),
    over('t3', stalled),
  )
  expect(replanTask(then, 't1')).toBeUndefined()
  expect(replanTask(then, 't3')).toBeUndefined()
})
