// Finished rows of a growing paragraph: printed rows and open rows together are always the whole paragraph.
import { expect, test } from 'vitest'
import { drawMarkdown } from '../../../../internal/render/markdown/markdown.ts'
import { splitRows } from '../../../../internal/render/markdown/paragraph-rows.ts'
import { choice, rng } from '../../../support/rng.ts'
import { lookOf } from '../../../support/session-view.ts'

const draw = (text: string) => drawMarkdown(text, lookOf(40))

/** Feeds a growing text, and splits off rows as soon as there are more than three. */
function stream(text: string): { printed: string[]; open: string } {
  const printed: string[] = []
  let open = ''
  for (const letter of text) {
    open += letter
    const rows = draw(open)
    const split = rows.length > 3 ? splitRows(open, draw, rows.length - 2) : undefined
    if (!split) continue
    expect(open.startsWith(split.done)).toBe(true)
    printed.push(...draw(split.done))
    open = open.slice(split.done.length)
  }
  return { printed, open }
}

const pieces = [
  ...['word', 'a', 'snake_case', '[1]', '[a link](https://example.org/a)', '**two words**', '`code of it`'],
  ...['1990.', '2) and', '- dash', '# sign', '> sign', '*', '`', '_', '[', '5 < 6', '&amp;', 'a\\\nb'],
  ...['https://example.org/long/path', '\n', '  \n', '===', 'ünïcode', '漢字', '~~gone~~', '| a | b |'],
]

test.each(Array.from({ length: 40 }, (_, seed) => seed))('never changes a printed row (seed %i)', (seed) => {
  const random = rng(seed)
  const plain = () => (random() < 0.8 ? `word${Math.floor(random() * 1_000)}` : choice(random, pieces))
  const text = Array.from({ length: 120 }, plain).join(' ')
  const { printed, open } = stream(text)
  const whole = draw(text)
  // a heading or a list may follow inside of the text, so only a text of one paragraph is compared
  if (splitRows(text, draw, 1) === undefined) return
  expect([...printed, ...draw(open)]).toEqual(whole)
})

test('prints all but the last rows of plain words', () => {
  const text = Array.from({ length: 200 }, (_, i) => `word${i}`).join(' ')
  const { printed, open } = stream(text)
  expect([...printed, ...draw(open)]).toEqual(draw(text))
  expect(draw(open).length).toBeLessThanOrEqual(3)
})

test.each([
  ['a list', '- one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'],
  ['a quote', '> one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'],
  ['an open emphasis', `**${'word '.repeat(40)}`],
  ['an open link', `[${'word '.repeat(40)}`],
  ['one long word', 'x'.repeat(300)],
  ['two paragraphs', `${'word '.repeat(40)}\n\n${'word '.repeat(40)}`],
])('splits nothing of %s', (_, text) => {
  expect(splitRows(text, draw, 2)).toBeUndefined()
})
