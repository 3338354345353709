// What ends are called: rules never claim to be done.
import { expect, it } from 'vitest'
import { nameOutcome, nameTaskEnd } from '../../../../internal/study/log/outcome-name.ts'

const rules = { kind: 'rules' } as const

it.each([
  ['done', undefined, 'quotations found', 'done'],
  ['partial', 'gaps', 'partial', 'partial'],
  ['failed', 'no_evidence', 'nothing found', 'failed'],
  ['failed', 'store', 'failed', 'failed'],
  ['running', undefined, 'running', 'running'],
  ['cancelled', 'on request', 'cancelled', 'cancelled'],
] as const)('%s (%s)', (status, reason, byRules, byModel) => {
  expect(nameOutcome({ model: rules, status, reason })).toBe(byRules)
  for (const kind of ['llm', 'script'] as const)
    expect(nameOutcome({ model: { kind }, status, reason })).toBe(byModel)
})

it('calls the end of a task likewise', () => {
  expect(['done', 'partial', 'not_run'].map((end) => nameTaskEnd(rules, end))).toEqual([
    'found',
    'partial',
    'not run',
  ])
  expect(nameTaskEnd({ kind: 'llm' }, 'done')).toBe('done')
})
