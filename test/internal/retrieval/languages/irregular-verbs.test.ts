// Irregular forms of verbs: a question and a text may use different forms.
import { expect, test } from 'vitest'
import { listVerbForms } from '../../../../internal/retrieval/languages/irregular-verbs.ts'
import { createTermScanner } from '../../../../internal/retrieval/term-scanner.ts'
import { parseQuestion } from '../../../../internal/retrieval/words.ts'

test.each([
  ['kept', ['keep', 'kept']],
  ['throws', ['throw', 'threw', 'thrown']],
  ['getting', ['get', 'got', 'gotten']],
  ['making', ['make', 'made']],
  ['catches', ['catch', 'caught']],
  ['threw', ['throw', 'threw', 'thrown']],
  ['cache', ['cache']],
  // An adjective: a broken file is not one that breaks.
  ['broken', ['broken']],
])('the forms of %s', (word, forms) => {
  expect(listVerbForms(word)).toEqual(forms)
})

/** Returns the words of the text in which the scanner finds a term of the question with the full weight. */
async function findWords(question: string, text: string): Promise<string[]> {
  const out: string[] = []
  createTermScanner(await parseQuestion(question))(text, ({ at, weight }) => {
    if (weight === 1) out.push(/^\w+/.exec(text.slice(at))?.[0] ?? '')
  })
  return out
}

test.each([
  ['Which error is thrown?', 'throws throw threw thrown through', ['throws', 'throw', 'threw', 'thrown']],
  ['How are passwords hidden?', 'hide hides hid hidden', ['hide', 'hides', 'hid', 'hidden']],
  ['Where are rules kept?', 'It keeps them. keeper', ['keeps']],
  ['What does it keep?', 'They are kept.', ['kept']],
  ['Who draws lines?', 'drawn drew', ['drawn', 'drew']],
])('%s finds all forms in %j', async (question, text, words) => {
  expect(await findWords(question, text)).toEqual(words)
})

test.each([
  // The German word "made" (maggot) is not the English verb, and neither is a name.
  'Wie groß ist die Made in der Datei?',
  'What is MADE?',
])('%s does not find other forms', async (question) => {
  expect(await findWords(question, 'It makes.')).toEqual([])
})

test('the irregular forms of a synonym are synonyms, and a noun in a group stays as it is', async () => {
  const { terms } = await parseQuestion('Which maximum is stored?')
  const synonymsOf = (word: string) => terms.find((term) => term.word === word)?.synonyms
  expect(synonymsOf('stored')).toEqual(expect.arrayContaining(['keep', 'kept']))
  expect(synonymsOf('maximum')).toContain('bound')
  expect(synonymsOf('maximum')).not.toContain('bind')
})
