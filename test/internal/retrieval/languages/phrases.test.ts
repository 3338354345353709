// Phrases of questions that one word replaces.
import { expect, test } from 'vitest'
import { joinPhrases } from '../../../../internal/retrieval/languages/phrases.ts'

test.each([
  ['How do I turn colors off?', 'How do I disable colors ?'],
  ['Does it try again?', 'Does it retry ?'],
  ['How do I get rid of a lock?', 'How do I remove a lock?'],
  ['Does it follow soft links?', 'Does it follow symlink?'],
  ['Does it turn?', 'Does it turn?'],
])('%s becomes %s', (question, joined) => {
  expect(joinPhrases(question).replace(/ +/g, ' ')).toBe(joined)
})
