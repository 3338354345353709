// The messages that start the attempts of an agent.
import { expect, test } from 'vitest'
import { foldBuild } from '../../../internal/build/state.ts'
import { describeTaskAttempt } from '../../../internal/build/task-prompt.ts'

const task = (id: string, more: object = {}) => ({
  ...{ id, do: `Change ${id}.`, scope: [`src/${id}/**`], until: [], after: [], allow: [] },
  ...more,
})
const entries: [string, object][] = [
  ['build', { id: 'B', goal: 'Use newName', base: 'c0', attempts: 3 }],
  ['plan', { plan: { goal: '', until: ['npm test'], shared: ['LOG'], tasks: [task('a'), task('b')] } }],
  ['task.started', { task: 'a', attempt: 1, worker: 'agent', tip: 'c0', worktree: '/w', thread: 't' }],
]
const fold = (more: [string, object][] = []) =>
  foldBuild([...entries, ...more].map(([kind, data], i) => ({ seq: i + 1, ts: i, kind, data: { ...data } })))
const messageOf = (state: ReturnType<typeof fold>, patch = '') => {
  const own = state.tasks.get('a')
  if (!own) throw new Error('no task a')
  return describeTaskAttempt(state, own, own.agent.failure && { ...own.agent.failure, patch })
}

test('the first message has the task, its scope, its checks and the other tasks', () => {
  const text = messageOf(fold())
  for (const part of ['Change a.', 'src/a/**', 'npm test', 'LOG', '- b (src/b/**): Change b.'])
    expect(text).toContain(part)
})

const reopened = (why: string, detail: string): [string, object][] => [
  ['reopened', { task: 'a', attempt: 1, why, detail, patch: [] }],
  ['task.started', { task: 'a', attempt: 2, worker: 'agent', tip: 'c1', worktree: '/w', thread: 't' }],
]

test.each(['conflict', 'checks', 'scope', 'no_change', 'work'])(
  'a later message has the reason %s',
  (why) => {
    const text = messageOf(fold(reopened(why, 'the detail')), '+ a line with ``` in it')
    expect(text).toMatch(/^Attempt 2 of 3 at task a\. [A-Z]/)
    expect(text).toContain('the detail')
    // the fence is longer than the one in the patch
    expect(text).toContain('````\n+ a line')
  },
)

test('a long patch is cut', () => {
  expect(messageOf(fold(reopened('checks', 'x'.repeat(1e5))), 'y'.repeat(1e6)).length).toBeLessThan(40_000)
})
