// Markdown at random, of pieces that break parsers and streams.

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

/** Whole numbers from 0 up to `n`, the same in each run. */
export const random = (n: number) => {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31
  return state % n
}

export const randomText = () =>
  Array.from({ length: 1 + random(14) }, () => pieces[random(pieces.length)]).join('')
