// The budget of a tree of agents, counted in one place for all of them.
import { expect, it } from 'vitest'
import { createBudget } from '../../../internal/agent/budget.ts'

const usage = (input: number, output: number, usd: number | null = 0) => ({ input, output, usd })

it('counts a part in the whole', () => {
  const whole = createBudget({ tokens: 100 })
  const part = whole.part({ tokens: 60 })
  part.use(usage(30, 10))
  expect(whole.spent).toMatchObject({ input: 30, output: 10, requests: 1 })
  expect(part.reached()).toBeUndefined()
  whole.use(usage(60, 0))
  expect(part.reached()).toBe('tokens')
})

it('applies the caps of a part first', () => {
  const part = createBudget({ calls: 100 }).part({ calls: 1 })
  part.call()
  expect(part.reached()).toBe('calls')
})

it('counts an unknown price as reached, never as free', () => {
  const capped = createBudget({ usd: 1 })
  capped.use(usage(1, 1, null))
  expect(capped.reached()).toBe('usd')
  const free = createBudget({})
  free.use(usage(1, 1, null))
  expect(free.spent.usd).toBeNull()
  expect(free.reached()).toBeUndefined()
})

it('reports when the time is up', () => {
  expect(createBudget({ deadline: 1000 }).reached(999)).toBeUndefined()
  expect(createBudget({ deadline: 1000 }).reached(1000)).toBe('time')
})

it('warns once per limit when four fifths of it are spent', () => {
  const budget = createBudget({ tokens: 10_000, usd: 1, calls: 5 })
  budget.use(usage(7_900, 99, 0.1))
  expect(budget.nearing()).toBeUndefined()
  budget.use(usage(1, 0, 0.75))
  expect(budget.nearing()).toMatchObject({ limit: 'tokens', spent: '8,000 of 10,000 tokens' })
  expect(budget.nearing()).toMatchObject({ limit: 'usd', spent: '$0.8500 of $1.0000' })
  expect(budget.nearing()).toBeUndefined()
  for (let i = 0; i < 4; i++) budget.call()
  expect(budget.nearing()).toMatchObject({ limit: 'calls', spent: '4 of 5 tool calls' })
  expect(budget.nearing()).toBeUndefined()
})

it('reports the time since the budget was made, and a limit of the parent to the first caller', () => {
  const now = Date.now()
  const whole = createBudget({ deadline: now + 100_000 })
  const part = whole.part({})
  expect(part.nearing(now + 79_000)).toBeUndefined()
  expect(part.nearing(now + 81_000)).toMatchObject({ limit: 'time', spent: '81 of 100 s' })
  expect(whole.nearing(now + 90_000)).toBeUndefined()
})

it.each([
  [200, 160],
  [10, 8],
  [5, 4],
  [4, 3],
  [2, 1],
])('warns of %d turns once, when %d are used', (max, at) => {
  const budget = createBudget({})
  const warned = Array.from({ length: max + 1 }, (_, taken) => budget.nearing(0, { taken, max }))
  expect(warned.findIndex((one) => one !== undefined)).toBe(at)
  expect(warned.filter((one) => one !== undefined)).toEqual([
    expect.objectContaining({ limit: 'turns', spent: `${at} of ${max} turns` }),
  ])
})

it.each([1, Number.POSITIVE_INFINITY])('never warns of %d turns', (max) => {
  const budget = createBudget({})
  for (let taken = 0; taken <= 1; taken++)
    if (taken < max) expect(budget.nearing(0, { taken, max })).toBeUndefined()
})
