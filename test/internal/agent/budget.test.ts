// What a tree of agents may spend is counted in one place, whoever spends it.
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

it('holds a part to its own caps first', () => {
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

it('knows when time is up', () => {
  expect(createBudget({ deadline: 1000 }).reached(999)).toBeUndefined()
  expect(createBudget({ deadline: 1000 }).reached(1000)).toBe('time')
})
