// What a coordinator does next, from the state alone.
import { expect, test } from 'vitest'
import {
  endKey,
  isCovered,
  isLimited,
  lost,
  ready,
  replan,
  running,
} from '../../../../internal/study/lead/schedule.ts'
import { fold, type StudyState } from '../../../../internal/study/state.ts'
import { entry } from '../../../../internal/study/study.ts'
import { ended, evidence, head, task } from '../../../support/study.ts'

type New = ReturnType<typeof entry>
const state = (...entries: New[]): StudyState =>
  fold([entry('study', head()), ...entries].map((line, i) => ({ ...line, seq: i + 1, ts: i })))
const plan = (...tasks: ReturnType<typeof task>[]) =>
  entry('plan', { tasks, dropped: [], notices: [], of: 'rules' })
const started = (id: string, epoch = 1) =>
  entry('task.started', { task: id, epoch, owner: `w-${id}`, attempt: epoch, pid: 1, host: 'h' })
const over = (id: string, result = ended('done', { claims: ['C'] })) =>
  entry('task.ended', { task: id, result })
const ids = (list: readonly { task: { id: string } }[]) => list.map(({ task: { id } }) => id)

test('tasks wait for what they need, however that has ended', () => {
  const tasks = [task(1, 'a'), task(2, 'b', { dependsOn: ['t1'] }), task(3, 'c', { dependsOn: ['t2'] })]
  expect(ids(ready(state(plan(...tasks))))).toEqual(['t1'])
  expect(ids(ready(state(plan(...tasks), started('t1'))))).toEqual([])
  expect(ids(ready(state(plan(...tasks), over('t1', ended('failed')))))).toEqual(['t2'])
  const skipped = entry('task.not_run', { task: 't2', reason: 'covered' })
  expect(ids(ready(state(plan(...tasks), over('t1'), skipped)))).toEqual(['t3'])
})

test('a task is lost when its lease is gone and it has no end', () => {
  const now = state(plan(task(1, 'a'), task(2, 'b'), task(3, 'c')), started('t1'), started('t2'), over('t2'))
  expect(ids(running(now))).toEqual(['t1'])
  expect(ids(lost(now, []))).toEqual(['t1'])
  expect(lost(now, [{ task: 't1' }])).toEqual([])
})

test('what would add little is not run', () => {
  const tasks = Array.from({ length: 10 }, (_, i) => task(i + 1, `part ${i}`))
  const read = (n: number, canonical: string) =>
    entry('evidence', evidence(`E${n}.1`, 'x', { task: `t${n}`, canonical }))
  const calls = (n: number) =>
    entry('step', {
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
  const more = replan(now, 't1')
  expect(more).toMatchObject({ id: 't3', objective: 'for how long', dependsOn: ['t1'] })
  expect(replan(now, 't2')).toBeUndefined()
  if (!more) throw new Error('no task')
  const then = state(
    plan(task(1, 'a')),
    over('t1', stalled),
    entry('task.added', { task: more, why: 'w', of: 't1' }),
    over('t3', stalled),
  )
  expect(replan(then, 't1')).toBeUndefined()
  expect(replan(then, 't3')).toBeUndefined()
})

test('a task that a limit has ended can be opened again and then ends under another key', () => {
  const now = state(plan(task(1, 'a')), over('t1', ended('budget')))
  const first = now.tasks.get('t1')
  expect(first && [isLimited(first), endKey(first)]).toEqual([true, 'end:t1'])
  const again = state(plan(task(1, 'a')), over('t1', ended('budget')), entry('task.reopened', { task: 't1' }))
  const second = again.tasks.get('t1')
  expect(second && [second.status, endKey(second)]).toEqual(['open', 'end:t1:1'])
  expect(isLimited({ result: ended('failed') })).toBe(false)
  expect(isLimited({ notRun: 'deadline' })).toBe(true)
})
