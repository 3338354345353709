// Phrases of questions that one word replaces.
import { expect, test } from 'vitest'
import { joinPhrases } from '../../../../internal/retrieval/languages/common-words.ts'

test.each([
  ['How do I turn colors off?', 'How do I disable colors ?'],
  ['Can I turn colored output off?', 'Can I disable colored output ?'],
  ['Does it try again?', 'Does it retry ?'],
  ['How do I get rid of a lock?', 'How do I remove a lock?'],
  ['Does it follow soft links?', 'Does it follow symlink?'],
  ['How are old logs thrown away?', 'How are old logs discard ?'],
  ['How do I leave a table out?', 'How do I exclude a table ?'],
  ['How is a database brought back?', 'How is a database restore ?'],
  ['Does it go on after an error?', 'Does it continue after an error?'],
  ['How is a flag phased out?', 'How is a flag deprecate ?'],
  ['When is an entry kicked out?', 'When is an entry evict ?'],
  ['How do I turn text into JSON?', 'How do I convert text JSON?'],
  ['Do jobs run side by side?', 'Do jobs run parallel?'],
  ['What matches a pattern of zero length?', 'What matches a pattern empty?'],
  ['Does it restart on its own?', 'Does it restart automatically?'],
  ['Does it turn?', 'Does it turn?'],
  ['What is left of the output?', 'What is left of the output?'],
])('%s becomes %s', (question, joined) => {
  expect(joinPhrases(question).replace(/ +/g, ' ')).toBe(joined)
})
