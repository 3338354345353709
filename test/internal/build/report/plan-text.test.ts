// The text of a plan, as a file and for its approval.
import { expect, test } from 'vitest'
import { readBuildPlan } from '../../../../internal/build/plan.ts'
import { formatPlanFile, formatPlanLines } from '../../../../internal/build/report/plan-text.ts'

const text = `goal: "a: b"
until: ["npm test"]
shared: [LOG]
tasks:
  - {id: a, do: "First line\\nsecond # line", scope: ["src/a/**"], until: ["true"], allow: ["test/*"]}
  - {id: b, run: node x.js, scope: ["b*"], after: [a]}
`

test('a plan is read back from its own text', async () => {
  const { plan } = await readBuildPlan(text, 'p')
  expect((await readBuildPlan(formatPlanFile(plan), 'q')).plan).toEqual(plan)
})

const cost = { agents: 2, programs: 0, tokens: 65_000, usd: 0.123 }

test('the lines have each task with its scope, order and checks', async () => {
  const { plan } = await readBuildPlan(text, 'p')
  expect(formatPlanLines(plan, cost)).toEqual([
    'plan  2 tasks',
    'a  First line',
    '  scope  src/a/**',
    '  check  true',
    'b  $ node x.js',
    '  scope  b*',
    '  after  a',
    'shared  LOG',
    'check after each merge  npm test',
    'estimated cost  $0.12 for 2 agents, 65,000 tokens',
  ])
})

test.each([
  [{ ...cost, agents: 0, tokens: 0, usd: 0 }, '$0, because every task is a command'],
  [{ ...cost, agents: 1, usd: null }, 'price unknown for 1 agent, 65,000 tokens'],
  [{ ...cost, agents: 0, tokens: 0, usd: 0, programs: 1 }, 'unknown for 1 agent of another program'],
  [{ ...cost, programs: 3 }, '$0.12 for 2 agents, 65,000 tokens, unknown for 3 agents of other programs'],
])('the cost %j is %s, and a file has it as a comment', async (planCost, words) => {
  const { plan } = await readBuildPlan(text, 'p')
  expect(formatPlanLines(plan, planCost).at(-1)).toBe(`estimated cost  ${words}`)
  const file = formatPlanFile(plan, planCost)
  expect(file.split('\n')[0]).toBe(`# estimated cost: ${words}`)
  expect((await readBuildPlan(file, 'q')).plan).toEqual(plan)
})
