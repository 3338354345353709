// The report that is composed by rules.
import { expect, test } from 'vitest'
import { composeReport, isQuotation, quotedClaim } from '../../../internal/text-analysis/synthesis.ts'

test('has sections with every claim and its id', () => {
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

- Leases last 45 seconds. "The lease lasts 45 seconds." [C1.2]

## Contradictions

- "The lease lasts 30 seconds." [C1.1] against Leases last 45 seconds. "The lease lasts 45 seconds." [C1.2]

## Gaps

- found nowhere: moon`)
})

test('states that nothing was found', () => {
  expect(composeReport({ question: 'q', tasks: [], claims: [] }).match(/None\./g)).toHaveLength(4)
})

test('keeps a claim of an unknown task', () => {
  expect(
    composeReport({ question: '', tasks: [], claims: [{ id: 'C9.1', task: 't9', text: 'x', quote: '' }] }),
  ).toContain('[C9.1]')
})

test('sorts the claims of a single task to the parts of the question', () => {
  const claim = (id: string, text: string) => ({ id, task: 't1', text, quote: text })
  const text = composeReport({
    question: 'How are locks taken, and what removes stale files?',
    tasks: [{ id: 't1', objective: 'all of it' }],
    claims: [
      claim('C1.1', 'A lock is taken.'),
      claim('C1.2', 'Stale files are removed.'),
      claim('C1.3', 'Locks wait.'),
    ],
  })
  expect(text).toContain('## Answer\n\n- "A lock is taken." [C1.1]\n- "Stale files are removed." [C1.2]\n')
  expect(text).toContain('### How are locks taken\n\n- "Locks wait." [C1.3]\n')
})

test('recognizes a quote without its comment markers', () => {
  const quote = '# How many clients.\nmaxclients 10'
  expect(quotedClaim({ id: 'C1.1', text: 'How many clients.\n**maxclients 10**', quote })).toBe(
    '"How many clients. **maxclients 10**" [C1.1]',
  )
  expect(isQuotation('How few clients.\nmaxclients 10', quote)).toBe(false)
})
