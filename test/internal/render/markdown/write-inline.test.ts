// Runs written as Markdown are read back as the same runs, and foreign text stays text.
import { describe, expect, it } from 'vitest'
import { parseInline } from '../../../../internal/render/markdown/inline.ts'
import type { InlineRun } from '../../../../internal/render/markdown/inline-run.ts'
import { drawMarkdown } from '../../../../internal/render/markdown/markdown.ts'
import { escapeText, writeCode, writeInline } from '../../../../internal/render/markdown/write-inline.ts'
import { choice, type Rng, rng } from '../../../support/rng.ts'
import { rounds } from '../../../support/sample.ts'

const pieces = [
  ...[
    'word',
    'two words',
    ' ',
    'snake_case',
    '__init__',
    '*',
    '**',
    '`',
    '``',
    '~~',
    '~',
    '\\',
    '\\*',
    '[',
    ']',
  ],
  ...[
    '[x](y)',
    '![x](http://e.example/p.png)',
    '[a]: b',
    '<script>',
    '<b>',
    'a < b',
    '&lt;',
    '&',
    '|',
    '#',
    '# x',
  ],
  ...[
    '- x',
    '1. x',
    '> x',
    '---',
    '===',
    'src/**/*.ts',
    '2 * 3 * 4',
    'naïve',
    '漢字',
    '"q"',
    '(c)',
    '.',
    '!',
    '_a_',
  ],
]

function randomRun(random: Rng): InlineRun {
  const text = Array.from({ length: 1 + Math.floor(random() * 3) }, () => choice(random, pieces)).join(
    choice(random, ['', ' ']),
  )
  const run: InlineRun = { text }
  if (random() < 0.2) run.isBold = true
  if (random() < 0.2) run.isItalic = true
  if (random() < 0.1) run.isStruck = true
  if (random() < 0.2) run.isCode = true
  if (random() < 0.15) run.link = { href: 'https://a.example/b_c?d=(e)&f', isImage: false }
  return run
}

const textOf = (runs: readonly InlineRun[]) => runs.map(({ text }) => text).join('')
const unspaced = (text: string) => text.replace(/\s+/g, '')

describe('writeInline', () => {
  it('keeps the words, the code and the links of any runs', () => {
    for (let seed = 1; seed <= rounds(400, 20_000); seed++) {
      const random = rng(seed)
      const runs = Array.from({ length: 1 + Math.floor(random() * 4) }, () => randomRun(random))
      const markdown = writeInline(runs)
      const read = parseInline(markdown)
      const message = JSON.stringify({ seed, runs, markdown })
      expect(unspaced(textOf(read)), message).toBe(unspaced(textOf(runs)))
      const marked = (all: readonly InlineRun[], mark: 'isCode' | 'link') =>
        unspaced(textOf(all.filter((run) => run[mark])))
      expect(marked(read, 'isCode'), message).toBe(marked(runs, 'isCode'))
      // the parser knows no link around code with a bracket or a backtick
      const isLinked = marked(read, 'link') !== '' || !/[[\]`]/.test(marked(runs, 'isCode'))
      expect(marked(read, 'link'), message).toBe(isLinked ? marked(runs, 'link') : '')
      const drawn = drawMarkdown(markdown, { width: 500, color: 0, unicode: true, ambiguous: 1, all: true })
      expect(drawn.length, message).toBe(markdown.trim() === '' ? 0 : 1)
    }
  })

  it.each<[InlineRun[], string]>([
    [[{ text: 'a ' }, { text: 'b', isBold: true }, { text: ' c' }], 'a **b** c'],
    [
      [
        { text: 'b ', isBold: true },
        { text: 'c', isBold: true, isCode: true },
      ],
      '**b `c`**',
    ],
    [[{ text: 'a ' }, { text: 'b', isItalic: true }], 'a *b*'],
    [[{ text: 'snake_case and 2 _x' }], 'snake_case and 2 \\_x'],
    [[{ text: '# no heading' }], '\\# no heading'],
    [[{ text: '1. no list' }], '1\\. no list'],
    [[{ text: 'see', link: { href: 'https://a.example', isImage: false } }], '[see](<https://a.example>)'],
  ])('%j is %j', (runs, markdown) => {
    expect(writeInline(runs)).toBe(markdown)
  })

  it('leaves out a look that no Markdown can write', () => {
    expect(writeInline([{ text: 'a' }, { text: '"b"', isBold: true }, { text: 'c' }])).toBe('a"b"c')
  })

  it('writes a link that is not accepted as its text', () => {
    const link = { href: 'javascript:alert(1)', isImage: false }
    expect(writeInline([{ text: 'go', link }], (href) => href.startsWith('https:'))).toBe('go')
  })
})

it('code spans contain any backticks', () => {
  for (const code of ['a', '`', '``a`', ' a ', 'a`b``c']) {
    expect(textOf(parseInline(writeCode(code)).filter(({ isCode }) => isCode))).toBe(code)
  }
})

it('escaped text is text', () => {
  expect(textOf(parseInline(escapeText(pieces.join(' '))))).toBe(pieces.join(' '))
})
