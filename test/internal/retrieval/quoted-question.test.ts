// The blanking of quoted questions in a text.
import { expect, it } from 'vitest'
import { withoutQuotedQuestions } from '../../../internal/retrieval/term-scanner.ts'

it.each([
  ['anode study ', '"How are locks held?"', ' now'],
  ['ask(', "'Who may change it?'", ', 1)'],
  ['say ', '“Where does it start?”', '.'],
])('removes the question from %s%s', (before, question, after) => {
  const plain = before + ' '.repeat(question.length) + after
  expect(withoutQuotedQuestions(before + question + after)).toBe(plain)
})

it.each([
  '## How are locks held?',
  'How are locks held? "By links."',
  'a ? "b" : "c"',
  '"no question"',
  "x?.['y']",
])('keeps %s', (text) => {
  expect(withoutQuotedQuestions(text)).toBe(text)
})
