import { expect, it } from 'vitest'
import { describeAbsent, readAbsent } from '../../../internal/text-analysis/absent-words.ts'

it.each([[['Kafka']], [['Kafka', 'quux']], [['a b', 'or', 'the "x"']]])(
  'reads what it writes: %j',
  (words) => {
    expect(readAbsent(describeAbsent(words))).toEqual(words)
  },
)

it.each([
  ['no passage contains "Kafka" or "quux"', ['Kafka', 'quux']],
  ['no passage holds Kafka, quux', ['Kafka', 'quux']],
  ['no quote for: Kafka', []],
])('reads %s', (gap, words) => {
  expect(readAbsent(gap)).toEqual(words)
})
