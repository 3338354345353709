// The order of tasks: random plans run to their end, and overlapping scopes never at once.
import { expect, it } from 'vitest'
import type { BuildTask } from '../../../internal/build/plan.ts'
import {
  chooseNextMerge,
  chooseReadyTasks,
  findBlockedTasks,
  findCriticalPath,
  findScopeConflicts,
} from '../../../internal/build/ready-tasks.ts'
import { type BuildState, type BuildTaskState, foldBuild } from '../../../internal/build/state.ts'
import { choice, type Rng, rng, shuffled } from '../../support/rng.ts'

const taskOf = (id: string, scope: string, after: string[] = []): BuildTask => ({
  ...{ id, run: 'true', scope: [scope], after, until: [], allow: [] },
})

function stateOf(tasks: readonly BuildTask[]): BuildState {
  const plan = { goal: '', until: [], shared: [], tasks }
  const line = (seq: number, kind: string, data: object) => ({ seq, ts: 0, kind, data: { ...data } })
  return foldBuild([line(1, 'build', { base: 'c0' }), line(2, 'plan', { plan })])
}

/** Random tasks over few scopes. Dependencies lead to any other task, without cycles. */
function randomTasks(random: Rng): BuildTask[] {
  const count = 2 + Math.floor(random() * 8)
  const order = shuffled(
    random,
    Array.from({ length: count }, (_, i) => i),
  )
  return Array.from({ length: count }, (_, i) => {
    const before = order.slice(0, order.indexOf(i)).filter(() => random() < 0.3)
    return taskOf(
      `t${i}`,
      choice(random, ['a/**', 'b/**', 'a/x', '**', 'c/*']),
      before.map((n) => `t${n}`),
    )
  })
}

it('ends every plan, never starts a task before its dependencies, and keeps overlapping scopes apart', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = rng(seed)
    const tasks = randomTasks(random)
    const state = stateOf(tasks)
    const conflicts = findScopeConflicts(tasks)
    const active = (): BuildTaskState[] =>
      [...state.tasks.values()].filter(({ status }) => status === 'running')
    while ([...state.tasks.values()].some(({ status }) => status !== 'merged')) {
      const [ready] = chooseReadyTasks(state, conflicts)
      if (ready && random() < 0.7) {
        for (const id of ready.task.after) expect(state.tasks.get(id)?.status).toBe('merged')
        for (const other of active())
          expect(conflicts.get(ready.task.id)?.has(other.task.id), `seed ${seed}`).toBe(false)
        ready.status = 'running'
      } else {
        const running = active()
        expect(running.length + (ready ? 1 : 0), `seed ${seed} waits for ever`).toBeGreaterThan(0)
        if (running.length > 0) choice(random, running).status = 'merged'
      }
    }
  }
})

/** One step of a build in which the results of tasks that change the same file are in conflict. */
function advance(state: BuildState, random: Rng, files: ReadonlyMap<string, string>): 'moved' | 'waits' {
  const all = [...state.tasks.values()]
  const conflicts = findScopeConflicts(state.plan.tasks)
  const running = all.filter(({ status }) => status === 'running')
  const steps: (() => void)[] = []
  const [ready] = chooseReadyTasks(state, conflicts)
  if (ready && running.length < 4)
    steps.push(() => {
      Object.assign(ready, {
        status: 'running',
        attempt: ready.attempt + 1,
        tip: state.tip,
        result: undefined,
      })
    })
  if (running.length > 0)
    steps.push(() => {
      const done = choice(random, running)
      Object.assign(done, { status: 'queued', result: { files: [files.get(done.task.id)] } })
    })
  const next = chooseNextMerge(state)
  if (next)
    steps.push(() => {
      if (next.status === 'queued') {
        next.status = 'merging'
        return
      }
      const path = files.get(next.task.id)
      const since = state.commits.slice(state.commits.indexOf(next.tip ?? '') + 1)
      if (!since.some((commit) => commit.startsWith(`${path} `))) {
        state.tip = `${path} ${state.commits.length}`
        state.commits.push(state.tip)
        next.status = 'merged'
      } else if (next.attempt >= state.head.attempts) next.status = 'failed'
      else {
        next.status = 'reopened'
        next.agent.conflictFiles = [path ?? '']
      }
    })
  if (steps.length === 0) return 'waits'
  choice(random, steps)()
  return 'moved'
}

it('merges every task by its last attempt, however many change the same file', () => {
  let conflicts = 0
  for (let seed = 1; seed <= 400; seed++) {
    const random = rng(seed)
    const tasks = randomTasks(random).map((task) => ({ ...task, scope: [task.id] }))
    const state = stateOf(tasks)
    state.head = { ...state.head, attempts: 2 + Math.floor(random() * 2) }
    const files = new Map(tasks.map(({ id }) => [id, choice(random, ['x', 'y'])]))
    const isOpen = () => [...state.tasks.values()].some(({ status }) => !/merged|failed/.test(status))
    while (isOpen()) expect(advance(state, random, files), `seed ${seed} waits for ever`).toBe('moved')
    const ends = [...state.tasks.values()].map(({ status }) => status)
    expect(ends, `seed ${seed}`).toEqual(ends.map(() => 'merged'))
    conflicts += [...state.tasks.values()].filter(({ attempt }) => attempt > 1).length
  }
  expect(conflicts).toBeGreaterThan(100)
})

it('starts the longest chain first, and overlapping tasks in plan order', () => {
  const tasks = [taskOf('a', 'a'), taskOf('b', 'b'), taskOf('c', 'c', ['b']), taskOf('d', 'a')]
  const state = stateOf(tasks)
  expect(chooseReadyTasks(state, findScopeConflicts(tasks)).map(({ task }) => task.id)).toEqual(['b', 'a'])
  expect(findCriticalPath(tasks)).toEqual(['b', 'c'])
})

it('blocks the tasks after a failed one, and merges in plan order', () => {
  const state = stateOf([taskOf('a', 'a'), taskOf('b', 'b', ['a']), taskOf('c', 'c'), taskOf('d', 'd')])
  const set = (id: string, status: BuildTaskState['status']) => {
    const task = state.tasks.get(id)
    if (task) task.status = status
  }
  set('a', 'failed')
  expect(findBlockedTasks(state).map(({ task, by }) => [task.task.id, by])).toEqual([['b', 'a']])
  set('c', 'queued')
  set('d', 'queued')
  expect(chooseNextMerge(state)?.task.id).toBe('c')
  set('d', 'merging')
  expect(chooseNextMerge(state)?.task.id).toBe('d')
})
