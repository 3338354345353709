import { expect, it } from 'vitest'
import { findContradictions } from '../../../../internal/study/verify/contradictions.ts'
import { claim } from '../../../support/study.ts'

const found = (...claims: ReturnType<typeof claim>[]) =>
  findContradictions(claims).map(([a, b]) => `${a.id} ${b.id}`)

it.each([
  ['other numbers', 'the retry limit of the queue is 5', 'the retry limit of the queue is 8', {}, true],
  ['a denial', 'the queue keeps its order', 'the queue never keeps its order', {}, true],
  ['the other stance', 'the queue keeps its order', 'the queue keeps its order', { stance: 'refutes' }, true],
  ['the same', 'the queue keeps its order', 'the queue keeps the order', {}, false],
  ['another subject', 'the retry limit is 5', 'the port of the server is 8', {}, false],
] as const)('%s', (_, a, b, over, expected) => {
  expect(found(claim('C1.1', a), claim('C2.1', b, over))).toEqual(expected ? ['C1.1 C2.1'] : [])
})
