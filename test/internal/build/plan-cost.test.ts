// The estimated cost of plans: what counts, and that more work never costs less.
import { expect, test } from 'vitest'
import { readBuildPlan } from '../../../internal/build/plan.ts'
import { estimatePlanCost } from '../../../internal/build/plan-cost.ts'

const sizes = new Map([
  ['src/a/one.ts', 4_000],
  ['src/b/two.ts', 40_000],
  ['src/c/three.ts', 40_000_000],
])
const rates = { input: 1, output: 10 }

const costOf = async (tasks: readonly object[], more: object = {}) => {
  const { plan } = await readBuildPlan(JSON.stringify({ goal: 'g', until: ['true'], tasks }), 'p')
  return estimatePlanCost(plan, { sizes, turns: ['agent'], rates, ...more })
}
const task = (id: string, more: object = {}) => ({ id, do: 'x', scope: [`src/${id}/**`], ...more })

test('an agent costs its prompts, half of its scope with each request, and its responses', async () => {
  const input = 8 * (8_000 + 500)
  expect(await costOf([task('a')])).toEqual({
    agents: 1,
    programs: 0,
    tokens: input + 4_000,
    usd: (input + 40_000) / 1_000_000,
  })
})

test('a larger scope costs more, up to a limit, and a command costs nothing', async () => {
  const tokens = async (id: string) => (await costOf([task(id)])).tokens
  expect(await tokens('b')).toBeGreaterThan(await tokens('a'))
  expect(await tokens('c')).toBe(8 * (8_000 + 30_000) + 4_000)
  const command = { id: 'r', run: 'true', scope: ['src/a/**'] }
  expect(await costOf([task('a'), command])).toEqual(await costOf([task('a')]))
  expect(await costOf([command])).toEqual({ agents: 0, programs: 0, tokens: 0, usd: 0 })
})

test('agents of other programs are counted alone, by task and in turn', async () => {
  const tasks = [task('a'), task('b'), task('c', { worker: 'acp:x' })]
  expect(await costOf(tasks, { turns: ['acp:y', 'agent'] })).toMatchObject({ agents: 1, programs: 2 })
  expect(await costOf(tasks, { rates: undefined })).toMatchObject({ agents: 2, programs: 1, usd: null })
})
