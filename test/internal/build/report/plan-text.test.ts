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

test('the lines have each task with its scope, order and checks', async () => {
  const { plan } = await readBuildPlan(text, 'p')
  expect(formatPlanLines(plan)).toEqual([
    'plan  2 tasks',
    'a  First line',
    '  scope  src/a/**',
    '  check  true',
    'b  $ node x.js',
    '  scope  b*',
    '  after  a',
    'shared  LOG',
    'check after each merge  npm test',
  ])
})
