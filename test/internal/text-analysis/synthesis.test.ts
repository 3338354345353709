// Checks the report that is composed by rule.
import { expect, test } from 'vitest'
import { composeReport } from '../../../internal/text-analysis/synthesis.ts'

test('sections with every claim and its id', () => {
  const text = composeReport({
    question: 'q',
    tasks: [
      { id: 't1', objective: 'locks', gaps: ['found nowhere: moon'] },
      { id: 't2', objective: 'nothing' },
    ],
    claims: [
      { id: 'C1.1', task: 't1', text: 'The lease lasts 30 seconds.', quote: 'The lease lasts 30 seconds.' },
      { id: 'C1.2', task: 't1', text: 'Leases last 45 seconds.', quote: 'The lease lasts 45 seconds.' },
    ],
  })
  expect(text).toBe(`## Answer

- "The lease lasts 30 seconds." [C1.1]

## Findings

### locks

- "The lease lasts 30 seconds." [C1.1]
- Leases last 45 seconds. "The lease lasts 45 seconds." [C1.2]

## Contradictions

- "The lease lasts 30 seconds." [C1.1] against Leases last 45 seconds. "The lease lasts 45 seconds." [C1.2]

## Gaps

- found nowhere: moon`)
})

test('nothing is said to be nothing', () => {
  expect(composeReport({ question: 'q', tasks: [], claims: [] }).match(/None\./g)).toHaveLength(4)
})

test('a claim of an unknown task is not lost', () => {
  expect(
    composeReport({ question: '', tasks: [], claims: [{ id: 'C9.1', task: 't9', text: 'x', quote: '' }] }),
  ).toContain('[C9.1]')
})
