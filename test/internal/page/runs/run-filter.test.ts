// Which runs of a list are shown.
import { expect, it } from 'vitest'
import { filterRuns, noFilter } from '../../../../internal/page/runs/run-filter.ts'
import type { RunSummary } from '../../../../internal/server/run-summary.ts'

const run = (thread: string, state: RunSummary['state'], title: string): RunSummary => ({
  ...{ thread, state, title, workspace: '/shop', end: null, reason: null, waits: [], profile: 'craft' },
  ...{ model: 'm', started: 0, ended: null, tokens: null, usd: null, worktree: null },
})
const runs = [run('1', 'running', 'Mend the cart'), run('2', 'waiting', 'Read it'), run('3', 'ended', 'Cart')]

it('requires all words, in any position, and sorts waiting runs first', () => {
  const shown = (words: string, state: Parameters<typeof filterRuns>[1]['state'] = 'all') =>
    filterRuns(runs, { ...noFilter, words, state }).map(({ thread }) => thread)
  expect(shown('')).toEqual(['2', '1', '3'])
  expect(shown('CART  shop')).toEqual(['1', '3'])
  expect(shown('cart', 'ended')).toEqual(['3'])
  expect(shown('nothing')).toEqual([])
})

it('keeps to one workspace and one model where they are chosen', () => {
  const other = { ...run('4', 'idle', 'Cart'), workspace: '/web', model: 'n' }
  const shown = (more: object) => filterRuns([...runs, other], { ...noFilter, ...more }).length
  expect([shown({}), shown({ workspace: '/web' }), shown({ model: 'm' })]).toEqual([4, 1, 3])
  expect(shown({ workspace: '/web', model: 'm' })).toBe(0)
})
