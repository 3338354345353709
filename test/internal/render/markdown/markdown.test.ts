// Markdown on a terminal: every kind of block, any width, hostile texts.
import { expect, test } from 'vitest'
import { drawMarkdown } from '../../../../internal/render/markdown/markdown.ts'
import type { RenderLook } from '../../../../internal/render/pen.ts'
import { countCells } from '../../../../internal/render/text/cell-width.ts'
import { random, randomText } from '../../../support/random-markdown.ts'

const look = (width: number, color: RenderLook['color'] = 0, unicode = true): RenderLook => {
  return { width, color, unicode, ambiguous: 1, all: true }
}
const draw = (text: string, width = 40) => drawMarkdown(text, look(width))

test.each([
  ['# Title\ntext', ['Title', '', 'text']],
  ['one\ntwo\n\nthree', ['one two', '', 'three']],
  ['one  \ntwo', ['one', 'two']],
  ['**b** _i_ `c` ~~d~~', ['b i c d']],
  ['a**b**c', ['abc']],
  ['[text](http://x.y/z) <http://x.y>', ['text (http://x.y/z) http://x.y']],
  ['![alt](a.png)', ['alt (a.png)']],
  ['a &amp; b &lt;c&gt; &#65; &unknown;', ['a & b <c> A &unknown;']],
  ['<b>bold</b> stays', ['<b>bold</b> stays']],
  ['- one\n- two\n  - three\n', ['• one', '• two', '  • three']],
  ['- one\n\n- two', ['• one', '', '• two']],
  ['- [ ] open\n- [x] done', ['☐ open', '☑ done']],
  ['- [x] done\n\n- plain', ['☑ done', '', '• plain']],
  ['1. [ ] one\n2. [x] two', ['1. [ ] one', '2. [x] two']],
  ['9. nine\n10. ten', [' 9. nine', '10. ten']],
  ['> a\n> b\n>\n> c', ['┃ a b', '┃', '┃ c'].map((line) => line)],
  ['```js\nlet a\n\n  b\n```', ['  let a', '', '    b']],
  ['    indented', ['  indented']],
  ['a\n\n---\n\nb', ['a', '', '─'.repeat(40), '', 'b']],
  ['\\*no\\* emphasis', ['*no* emphasis']],
  ['', []],
])('%j is drawn line by line', (text, expected) => {
  expect(draw(text).map((line) => line.trimEnd())).toEqual(expected)
})

test('draws a table with borders, and wraps long cells without losing a word', () => {
  const lines = draw(
    '| name | what |\n|---|--:|\n| `a` | one two three four five six seven eight nine |\n| b | |',
  )
  expect(lines[0]).toMatch(/^┌─+┬─+┐$/)
  const text = lines.join(' ').replaceAll(/[│┌┐└┘├┤┬┴┼─ ]+/g, ' ')
  for (const word of 'name what a one two three four five six seven eight nine b'.split(' '))
    expect(text).toContain(` ${word} `)
})

test('uses colors only if colors are on', () => {
  expect(drawMarkdown('**b** `c`', look(40, 1))[0]).toContain('\u001b[1mb')
  expect(drawMarkdown('**b** `c`', look(40, 0))[0]).toBe('b c')
})

test('lines with a hard break keep their spaces at the left', () => {
  const quoted = ['> if (a) {  ', '>     go(a)  ', '> }'].join('\n')
  const lines = draw(quoted)
  expect(lines.map((line) => line.slice(2))).toEqual(['if (a) {', '    go(a)', '}'])
  // ordinary words in a paragraph do not
  expect(drawMarkdown('one\n    two', look(40))).toEqual(['one two'])
})

test('marks a line of code that continues in the next row', () => {
  const code = ['```', 'const a = 1', 'const long = [1, 2, 3, 4, 5, 6, 7, 8, 9]', '```'].join('\n')
  const marks = drawMarkdown(code, look(30)).map((line) => line.slice(0, 1))
  expect(marks).toEqual([' ', ' ', '╎'])
})

test('draws only ASCII on a terminal without Unicode', () => {
  const text = '- a\n\n> b\n\n---\n\n| a |\n|---|\n| b |\n'
  for (const line of drawMarkdown(text, look(30, 0, false))) expect(line).toMatch(/^[\x20-\x7e]*$/)
})

test('no line of 600 random texts is too wide or contains a control character', () => {
  for (let i = 0; i < 600; i++) {
    const text = randomText()
    const width = 20 + random(80)
    for (const line of drawMarkdown(text, look(width))) {
      expect(countCells(line), JSON.stringify({ text, width, line })).toBeLessThanOrEqual(width)
      expect(line).not.toMatch(/[\0-\x1f\x7f-\x9f\u202e]/)
    }
  }
})

test('breaks no word of a table whose cells wrap, at any width', () => {
  const header = ['Component', 'Description of the component', 'tokenizer_configuration', 'Value']
  const body = ['internationalization', 'translates messages for everyone', 'disabled', '128000']
  const lines = [header, header.map(() => '---'), body].map((cells) => `| ${cells.join(' | ')} |`)
  for (let width = 34; width <= 120; width++) {
    const drawn = drawMarkdown(lines.join('\n'), look(width)).join('\n')
    for (const word of [...header, ...body].join(' ').split(' ')) expect(drawn, `${width}`).toContain(word)
  }
})
