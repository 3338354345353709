// The state of a build, folded from journals with every kind of entry.
import { expect, it } from 'vitest'
import { type BuildEntryKind, makeBuildEntry } from '../../../internal/build/entries.ts'
import { type BuildState, foldBuild, isTaskOver } from '../../../internal/build/state.ts'

type Draft = [kind: BuildEntryKind, data: object]

const plan = {
  ...{ goal: 'g', until: [], shared: [] },
  tasks: [{ id: 'a', run: 'true', scope: ['a'], until: [], after: [], allow: [] }],
}
const begin: Draft[] = [
  ['build', { id: '01', base: 'c0', ref: 'refs/heads/x' }],
  ['plan', { plan }],
  ['leader', { pid: 1, host: 'h' }],
]
const started: Draft = [
  'task.started',
  { task: 'a', attempt: 1, worker: 'command', tip: 'c0', worktree: '/w' },
]
const step: Draft = ['step', { task: 'a', attempt: 1, n: 1, exit: 0, ms: 1, output: '' }]
const result: Draft = [
  'result',
  { task: 'a', attempt: 1, base: 'c0', commit: 'w1', files: ['a'], patch: ['h'] },
]
const queued: Draft = ['queued', { task: 'a', attempt: 1 }]
const merging: Draft = ['merge.started', { task: 'a', tip: 'c0', commit: 'c1' }]
const merged: Draft = ['merged', { task: 'a', tip: 'c0', commit: 'c1', files: ['a'] }]
const ended = (why: string): Draft => ['task.ended', { task: 'a', why, detail: 'd', patch: [] }]

function fold(...drafts: Draft[]): BuildState {
  const lines = [...begin, ...drafts].map(([kind, data]) => makeBuildEntry(kind, data as never))
  return foldBuild(lines.map((line, i) => ({ ...line, seq: i + 1, ts: i })))
}
const statusAfter = (...drafts: Draft[]) => fold(...drafts).tasks.get('a')?.status

it('follows a task from waiting to merged', () => {
  const all = [started, step, result, queued, merging, merged]
  const states = all.map((_, i) => statusAfter(...all.slice(0, i + 1)))
  expect(statusAfter()).toBe('waiting')
  expect(states).toEqual(['running', 'proving', 'proving', 'queued', 'merging', 'merged'])
  const state = fold(...all)
  expect(state).toMatchObject({ tip: 'c1', commits: ['c1'], repaid: 0 })
  expect(state.tasks.get('a')).toMatchObject({ commit: 'c1', patch: ['h'], ended: 8 })
})

it('reopens, ends and retries tasks with their reasons', () => {
  const reopened: Draft = ['reopened', { task: 'a', attempt: 1, why: 'scope', detail: 'x', patch: ['h2'] }]
  const task = fold(started, step, reopened).tasks.get('a')
  expect(task).toMatchObject({ status: 'reopened', why: 'scope', reopened: { scope: 1 }, patch: ['h2'] })
  expect(statusAfter(ended('dependency'))).toBe('not_run')
  expect(statusAfter(ended('cancelled'))).toBe('not_run')
  expect(statusAfter(started, ended('cancelled'))).toBe('failed')
  expect(statusAfter(started, step, ended('work'))).toBe('failed')
  const again = fold(started, step, ended('work'), ['retry', { task: 'a' }]).tasks.get('a')
  expect(again).toMatchObject({ status: 'waiting', attempt: 1, spare: 1, reopened: {} })
  expect(again && isTaskOver(again)).toBe(false)
})

it('continues work that a limit has interrupted, and counts its attempt once', () => {
  const stop: Draft = ['task.ended', { task: 'a', why: 'limit', detail: 'd', patch: ['h'], base: 'c0' }]
  const retry: Draft = ['retry', { task: 'a' }]
  const again: Draft = [
    'task.started',
    { task: 'a', attempt: 2, worker: 'command', tip: 'c0', worktree: '/w' },
  ]
  // ended twice before it could start
  const waiting = fold(started, step, stop, retry, ended('limit'), retry).tasks.get('a')
  expect(waiting).toMatchObject({ status: 'waiting', steps: 1 })
  expect(waiting?.agent.interrupted).toEqual({ base: 'c0', patch: ['h'] })
  const running = fold(started, step, stop, retry, again).tasks.get('a')
  expect(running).toMatchObject({ status: 'running', attempt: 2, spare: 1, steps: 1, step: { exit: 0 } })
  expect(running?.agent.interrupted).toBeUndefined()
  expect(statusAfter(started, step, result, queued, ended('limit'), retry)).toBe('queued')
  expect(statusAfter(started, step, ended('limit'), retry)).toBe('waiting')
})

it('takes the limits of a build that was resumed', () => {
  const limits: Draft = ['limits', { attempts: 5, budget: { tokens: 7 }, deadline: 9, allowedMs: 4 }]
  const state = fold(limits)
  expect(state.head).toMatchObject({ id: '01', attempts: 5, budget: { tokens: 7 }, deadline: 9 })
  expect(state.allowedMs).toBe(4)
})

it('counts a step that was stored twice', () => {
  expect(fold(started, step, step).repaid).toBe(1)
})

it('ends, is cancelled, dropped, and continues with a new leader', () => {
  const end: Draft = ['build.ended', { end: 'partial', detail: 'why' }]
  expect(fold(['cancel', {}])).toMatchObject({ isCancelled: true })
  expect(fold(end)).toMatchObject({ end: 'partial', detail: 'why' })
  expect(fold(end, ['leader', { pid: 2, host: 'h' }])).toMatchObject({ end: undefined, leader: { pid: 2 } })
  expect(fold(end, ['dropped', {}]).isDropped).toBe(true)
  const receipt = { state: 'proven' }
  expect(fold(['proof', { where: 'closing', receipt }]).closing).toEqual(receipt)
  expect(fold(['proof', { task: 'a', where: 'task', receipt }]).tasks.get('a')?.proof?.receipt).toEqual(
    receipt,
  )
})
