// Checks that whatever a study hands over is read with care.
import { expect, test } from 'vitest'
import { planInput, synthesiseInput, workInput } from '../../../../internal/model/extract/request-input.ts'

test('plans', () => {
  expect(planInput(undefined, 'q')).toEqual({ question: 'q', workers: 3 })
  expect(planInput({ question: 'own', workers: 2.7, corpus: { frequency: { a: 1, b: 'x' } } }, 'q')).toEqual({
    question: 'own',
    workers: 2,
    corpus: { frequency: { a: 1 } },
  })
  expect(planInput({ workers: 0, corpus: 5 }, 'q')).toEqual({ question: 'q', workers: 3 })
})

test('work', () => {
  expect(workInput(undefined)).toBeUndefined()
  expect(workInput({ terms: ['a'] })).toBeUndefined()
  expect(workInput({ objective: 'o', terms: ['a', 5] })).toEqual({ objective: 'o', terms: ['a'] })
  expect(workInput({ objective: 'o', terms: [] })).toEqual({ objective: 'o' })
})

test('synthesis', () => {
  const input = {
    question: 'q',
    tasks: [{ id: 't1', objective: 'o', gaps: ['g', 1] }, 7],
    claims: [
      { id: 'C1.1', task: 't1', text: 't', quote: 'the quote', verified: true },
      { id: 'C1.2', text: 'only text' },
      { text: 'no id' },
    ],
  }
  expect(synthesiseInput(input)).toEqual({
    question: 'q',
    tasks: [{ id: 't1', objective: 'o', gaps: ['g'] }],
    claims: [
      { id: 'C1.1', task: 't1', text: 't', quote: 'the quote', verified: true },
      { id: 'C1.2', task: '', text: 'only text', quote: '' },
    ],
  })
  expect(synthesiseInput(null)).toEqual({ question: '', tasks: [], claims: [] })
})
