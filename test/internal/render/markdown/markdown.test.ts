// Markdown on a terminal: every kind of block, any width, whole and in pieces, hostile texts.
import { expect, test } from 'vitest'
import { drawMarkdown, streamMarkdown } from '../../../../internal/render/markdown/markdown.ts'
import type { RenderLook } from '../../../../internal/render/pen.ts'
import { countCells } from '../../../../internal/render/text/cell-width.ts'

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
  ['- [ ] open\n- [x] done', ['• [ ] open', '• [x] done']],
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

test('a table is drawn with borders, and wraps what is too long without losing a word', () => {
  const lines = draw(
    '| name | what |\n|---|--:|\n| `a` | one two three four five six seven eight nine |\n| b | |',
  )
  expect(lines[0]).toMatch(/^┌─+┬─+┐$/)
  const text = lines.join(' ').replaceAll(/[│┌┐└┘├┤┬┴┼─ ]+/g, ' ')
  for (const word of 'name what a one two three four five six seven eight nine b'.split(' '))
    expect(text).toContain(` ${word} `)
})

test('styles become colours only where colours are wanted', () => {
  expect(drawMarkdown('**b** `c`', look(40, 1))[0]).toContain('\u001b[1mb')
  expect(drawMarkdown('**b** `c`', look(40, 0))[0]).toBe('b c')
})

test('lines that end where they are told to keep their blanks at the left', () => {
  const quoted = ['> if (a) {  ', '>     go(a)  ', '> }'].join('\n')
  const lines = draw(quoted)
  expect(lines.map((line) => line.slice(2))).toEqual(['if (a) {', '    go(a)', '}'])
  // words that only flow on do not
  expect(drawMarkdown('one\n    two', look(40))).toEqual(['one two'])
})

test('a line of code that goes on in the next one tells so', () => {
  const code = ['```', 'const a = 1', 'const long = [1, 2, 3, 4, 5, 6, 7, 8, 9]', '```'].join('\n')
  const marks = drawMarkdown(code, look(30)).map((line) => line.slice(0, 1))
  expect(marks).toEqual([' ', ' ', '╎'])
})

test('ASCII alone is drawn where the terminal knows no more', () => {
  const text = '- a\n\n> b\n\n---\n\n| a |\n|---|\n| b |\n'
  for (const line of drawMarkdown(text, look(30, 0, false))) expect(line).toMatch(/^[\x20-\x7e]*$/)
})

/** Pieces that blocks are made of, the awkward ones among them. */
const pieces = [
  '# Heading **with** `code`\n',
  '\n',
  'A paragraph of several words, some of them _long_.\n',
  'setext\n',
  '===\n',
  '- item\n',
  '  - nested\n',
  '    - deeper\n',
  '\n  loose\n',
  '1. first\n',
  '17. other\n',
  '- [x] done\n',
  '> quoted\n',
  '> > twice\n',
  'lazy\n',
  '```\n',
  '```ts\n',
  '~~~\n',
  'const x = "a very long line of code that has to be cut somewhere";\n',
  '    indented code\n',
  '---\n',
  '| a | b |\n',
  '|---|:-:|\n',
  '| 1 | two three four |\n',
  '<div>\n',
  '</div>\n',
  '[ref]: http://x\n',
  'see [ref] and ![p](q)\n',
  '日本語の文章です。\n',
  '👩‍👩‍👧 family\n',
  '\u001b[31mred\u001b[0m\n',
  '\t tab\n',
  'no end of line',
  '**open',
  '`open',
  '&#27;[2J',
  '\u202eright\n',
  '* * *\n',
  '\\\n',
  'x'.repeat(90),
  '\r\n',
  '+ plus\n',
]
let state = 20_261
const random = (n: number) => {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31
  return state % n
}
const randomText = () => Array.from({ length: 1 + random(14) }, () => pieces[random(pieces.length)]).join('')

test('no line of 600 random texts is wider than asked for, or holds a control character', () => {
  for (let i = 0; i < 600; i++) {
    const text = randomText()
    const width = 20 + random(80)
    for (const line of drawMarkdown(text, look(width))) {
      expect(countCells(line), JSON.stringify({ text, width, line })).toBeLessThanOrEqual(width)
      expect(line).not.toMatch(/[\0-\x1f\x7f-\x9f\u202e]/)
    }
  }
})

test('in pieces of any size 400 random texts give the same lines as whole', () => {
  for (let i = 0; i < 400; i++) {
    // what a reference stands for may come later: a stream cannot know
    const text = randomText().replaceAll('[ref]', 'ref')
    const size = 1 + random(60)
    const stream = streamMarkdown(look(50))
    const lines: string[] = []
    for (let at = 0; at < text.length; at += size) lines.push(...stream.push(text.slice(at, at + size)))
    lines.push(...stream.end())
    // empty lines at the end of code that is never closed are drawn before it is known that nothing follows
    const trimmed = (all: string[]) => all.join('\n').trimEnd()
    expect(trimmed(lines), JSON.stringify({ text, size })).toBe(trimmed(draw(text, 50)))
  }
})

test('code appears line by line while its block is open', () => {
  const stream = streamMarkdown(look(40))
  expect(stream.push('Text\n\n```\none\n')).toEqual(['Text', '', '  one'])
  expect(stream.push('two\nthr')).toEqual(['  two'])
  expect(stream.push('ee\n```\n')).toEqual(['  three'])
  expect(stream.end()).toEqual([])
})

test.each([
  ['# Title\n', ['Title']],
  ['one\n\n', ['one']],
  ['one\n \n', ['one']],
  ['---\n', ['─'.repeat(20)]],
  ['| a |\n|---|\n| 1 |\n\n', ['┌───┐', '│ a │', '├───┤', '│ 1 │', '└───┘']],
])('%j is drawn as soon as it has ended', (text, expected) => {
  const stream = streamMarkdown(look(20))
  expect(stream.push(text.slice(0, -1))).toEqual([])
  expect(stream.push('\n')).toEqual(expected)
  expect(stream.end()).toEqual([])
})

test.each(['one\n', '- one\n\n', '> one\n\n', 'one\n===', '```\n\n', '<b>\n'])('%j may go on', (text) => {
  expect(
    streamMarkdown(look(20))
      .push(text)
      .map((line) => line.trim())
      .join(''),
  ).toBe('')
})

test('a block of 5,000 lines in pieces stays linear', () => {
  const stream = streamMarkdown(look(80))
  const begin = process.cpuUsage()
  stream.push('| a | b |\n|---|---|\n')
  for (let i = 0; i < 5_000; i++) stream.push(`| ${i} | some text |\n`)
  expect(stream.end().length).toBe(5_004)
  const { user, system } = process.cpuUsage(begin)
  expect((user + system) / 1_000).toBeLessThan(20_000)
})
