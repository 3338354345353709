// Which runs of a list are shown.
import { expect, it } from 'vitest'
import type { ListedRun } from '../../../../internal/page/runs/listed-run.ts'
import { filterRuns, noFilter } from '../../../../internal/page/runs/run-filter.ts'

const run = (thread: string, state: ListedRun['state'], title: string): ListedRun => ({
  ...{
    thread,
    state,
    title,
    workspace: '/shop',
    end: null,
    reason: null,
    proof: null,
    waits: [],
    profile: 'craft',
  },
  ...{ model: 'm', started: 0, ended: null, tokens: null, usd: null, worktree: null },
  ...{ kind: 'run', updated: 0 },
})
const runs = [run('1', 'running', 'Fix the cart'), run('2', 'waiting', 'Read it'), run('3', 'ended', 'Cart')]

it('requires all words, in any position, and sorts waiting runs first', () => {
  const shown = (words: string, state: Parameters<typeof filterRuns>[1]['state'] = 'all') =>
    filterRuns(runs, { ...noFilter, words, state }).map(({ thread }) => thread)
  expect(shown('')).toEqual(['2', '1', '3'])
  expect(filterRuns(runs.toReversed(), noFilter).map(({ thread }) => thread)).toEqual(['2', '1', '3'])
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

it('shows conversations and runs by kind, and idle ones among those that have ended', () => {
  const all = [...runs, { ...run('5', 'idle', 'Talk'), kind: 'conversation' as const }]
  const shown = (more: object) => filterRuns(all, { ...noFilter, ...more }).map(({ thread }) => thread)
  expect(shown({ kind: 'conversations' })).toEqual(['5'])
  expect(shown({ kind: 'runs' })).toEqual(['2', '1', '3'])
  expect(shown({ state: 'ended' })).toEqual(['3', '5'])
})
