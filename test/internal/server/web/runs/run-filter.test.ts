// Which runs of a list are shown.
import { expect, it } from 'vitest'
import type { RunSummary } from '../../../../../internal/server/run-summary.ts'
import { filterRuns } from '../../../../../internal/server/web/runs/run-filter.ts'

const run = (thread: string, state: RunSummary['state'], title: string): RunSummary => ({
  ...{ thread, state, title, workspace: '/shop', end: null, reason: null, waits: [], profile: 'craft' },
  ...{ model: 'm', started: 0, ended: null, tokens: null, usd: null, worktree: null },
})
const runs = [run('1', 'running', 'Mend the cart'), run('2', 'waiting', 'Read it'), run('3', 'ended', 'Cart')]

it('wants all words, in any place, and puts first what waits', () => {
  const shown = (words: string, state: Parameters<typeof filterRuns>[1]['state'] = 'all') =>
    filterRuns(runs, { words, state }).map(({ thread }) => thread)
  expect(shown('')).toEqual(['2', '1', '3'])
  expect(shown('CART  shop')).toEqual(['1', '3'])
  expect(shown('cart', 'ended')).toEqual(['3'])
  expect(shown('nothing')).toEqual([])
})
