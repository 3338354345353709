// Inline Markdown as runs of one look.
import { expect, test } from 'vitest'
import { parseInline } from '../../../../internal/render/markdown/inline.ts'
import type { InlineRun } from '../../../../internal/render/markdown/inline-run.ts'

const link = { href: 'https://a.example/b_c', isImage: false }

test.each<[string, InlineRun[]]>([
  ['', []],
  ['plain', [{ text: 'plain' }]],
  ['**all**', [{ text: 'all', isBold: true }]],
  ['a *b* `c`', [{ text: 'a ' }, { text: 'b', isItalic: true }, { text: ' ' }, { text: 'c', isCode: true }]],
  ['``a`b`` ``c``', [{ text: 'a`b', isCode: true }, { text: ' ' }, { text: 'c', isCode: true }]],
  ['`**no** &lt;`', [{ text: '**no** &lt;', isCode: true }]],
  ['a &lt; b \\*c\\*', [{ text: 'a < b *c*' }]],
  ['~~a~~', [{ text: 'a', isStruck: true }]],
  [
    'see [the *guide*](https://a.example/b_c).',
    [{ text: 'see ' }, { text: 'the ', link }, { text: 'guide', isItalic: true, link }, { text: '.' }],
  ],
  ['https://a.example/b_c', [{ text: 'https://a.example/b_c', link }]],
  ['![alt](p.png)', [{ text: 'alt', isItalic: true, link: { href: 'p.png', isImage: true } }]],
  ['<b>x</b>', [{ text: '<b>x</b>' }]],
  [
    'snake_case_name and 2**10**3',
    [{ text: 'snake_case_name and 2' }, { text: '10', isBold: true }, { text: '3' }],
  ],
  ['/** One. */ and /** two. */', [{ text: '/** One. */ and /** two. */' }]],
  [
    'src/**/*.ts and **/x and `a/**`',
    [{ text: 'src/**/*.ts and **/x and ' }, { text: 'a/**', isCode: true }],
  ],
])('reads the inline text %j', (text, runs) => {
  expect(parseInline(text)).toEqual(runs)
})

test('a text that is too long for the parser is plain', () => {
  const text = '**a** '.repeat(2_000)
  expect(parseInline(text)).toEqual([{ text }])
})
