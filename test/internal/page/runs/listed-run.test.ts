// Runs and conversations in one list.
import { expect, it } from 'vitest'
import { mergeConversations } from '../../../../internal/page/runs/listed-run.ts'
import type { FoundThread } from '../../../../internal/server/backend.ts'
import type { RunSummary } from '../../../../internal/server/run-summary.ts'

const figures = {
  profile: 'craft',
  model: 'm',
  workspace: '/shop',
  tokens: 1,
  usd: 0,
  reason: null,
  proof: null,
  title: '',
}
const run = (thread: string, started: number, state: RunSummary['state']): RunSummary => ({
  ...{ ...figures, thread, started, state, end: null, waits: [], ended: null, worktree: null },
})
const talk = (thread: string, updated: number): FoundThread => ({
  ...{ ...figures, thread, updated, started: 0, state: 'ended', end: 'done', waits: [], events: 3 },
})

it('lists each thread once, the latest activity first, and active runs by their start', () => {
  const runs = [run('a', 5, 'running'), run('b', 6, 'running'), run('c', 1, 'ended')]
  const threads = [talk('a', 99), talk('c', 8), talk('d', 7), talk('e', 2)]
  const listed = mergeConversations(runs, threads)
  expect(listed.map(({ thread, kind }) => `${thread} ${kind}`)).toEqual([
    ...['c run', 'd conversation', 'b run', 'a run', 'e conversation'],
  ])
  expect(listed[1]).toMatchObject({ state: 'ended', end: 'done', tokens: 1, waits: [] })
})
