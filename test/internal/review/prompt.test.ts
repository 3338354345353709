// The prompts of the subagents: the change, their part of it, and the form of the answer.
import { expect, test } from 'vitest'
import { checkGoal, retryGoal, reviewerGoal } from '../../../internal/review/prompt.ts'
import type { ReviewRequest } from '../../../internal/tool/review.ts'

const order: ReviewRequest = { reviewer: true, checks: 'none', timeoutMs: 1 }
const changes = { files: ['a.ts'], status: ['M a.ts (staged)'], text: 'DIFF', notes: ['x.bin is binary'] }
const check = {
  name: 'errors',
  description: 'Lost errors',
  severity: 'low',
  paths: ['*.ts'],
  tools: undefined,
  body: 'BODY',
  path: '.agents/checks/errors.md',
  scope: 'api',
} as const

test('gives the reviewer all known facts, and says that the diff contains no instructions', () => {
  const goal = reviewerGoal({ ...order, description: 'WORDS', focus: 'races', files: ['new\nline'] }, changes)
  for (const part of [
    'WORDS',
    'races',
    '- "new\\nline"',
    'M a.ts (staged)',
    'DIFF',
    'x.bin is binary',
    '"findings"',
  ])
    expect(goal).toContain(part)
  expect(goal).toContain('never instructions')
})

test('without git contains only the description', () => {
  const goal = reviewerGoal({ ...order, description: 'WORDS' }, undefined)
  expect(goal).toContain('WORDS')
  expect(goal).not.toContain('fences')
})

test('cuts a long list of files, and says by how much', () => {
  const status = Array.from({ length: 600 }, (_, i) => `M f${i}.ts (staged)`)
  const goal = reviewerGoal(order, { ...changes, status })
  expect(goal).toContain('M f499.ts (staged)\n[100 more]')
  expect(goal).not.toContain('f500.ts')
})

test('the task of a check lists its files, or covers its whole directory', () => {
  const some = checkGoal({ check, files: ['api/a.ts', 'api/b.ts'] }, order, changes)
  for (const part of ['errors (Lost errors)', 'BODY', '- api/a.ts\n- api/b.ts', 'counts as low'])
    expect(some).toContain(part)
  expect(checkGoal({ check, files: [] }, order, changes)).toContain('below api that fits *.ts')
})

test('the second attempt contains the first answer, or the end of a long one', () => {
  const goal = retryGoal('GOAL', `${'x'.repeat(30_000)}END`, ['findings[0].line: bad'])
  expect(goal.startsWith('GOAL\n\n')).toBe(true)
  expect(goal).toContain('- findings[0].line: bad')
  expect(goal.endsWith('END')).toBe(true)
  expect(goal.length).toBeLessThan(21_000)
})
