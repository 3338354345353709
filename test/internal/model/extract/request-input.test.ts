// The careful reading of input from a study.
import { expect, test } from 'vitest'
import {
  planQuestion,
  searchedWords,
  synthesiseInput,
  workObjective,
} from '../../../../internal/model/extract/request-input.ts'

test('reads the question of a plan and the objective of a task', () => {
  expect(planQuestion(undefined)).toBeUndefined()
  expect(planQuestion({ question: 'own', workers: 2 })).toBe('own')
  expect(workObjective({ terms: ['a'] })).toBeUndefined()
  expect(workObjective({ objective: 'o', terms: ['a', 5] })).toBe('o')
})
test('searches for a follow-up question with the words of the previous question', () => {
  const before = 'What is the default timeout of a command?'
  expect(searchedWords('And for a study?', { before })).toBe(
    'And for a study (also: default timeout command)?',
  )
  expect(searchedWords('And for a study?', {})).toBe('And for a study?')
  expect(searchedWords('Who may change the budget limit?', { before })).toBe(
    'Who may change the budget limit?',
  )
})
test('reads the tasks and claims of a synthesis', () => {
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
