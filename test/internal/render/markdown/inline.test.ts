// Inline Markdown as runs of one look.
import { describe, expect, test } from 'vitest'
import { joinParagraph, parseInline, splitParagraph } from '../../../../internal/render/markdown/inline.ts'
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

/** Returns the runs as HTML, as the examples of the CommonMark specification write them. */
const asHtml = (markdown: string) =>
  parseInline(markdown)
    .map(({ text, isBold, isItalic, isCode, link }) => {
      const words = text.replaceAll('\n', '<br>')
      const code = isCode ? `<code>${words}</code>` : words
      const italic = isItalic && !link?.isImage ? `<em>${code}</em>` : code
      const bold = isBold ? `<strong>${italic}</strong>` : italic
      if (link === undefined) return bold
      return link.isImage ? `<img ${link.href} ${bold}>` : `<a ${link.href}>${bold}</a>`
    })
    .join('')

describe('the inline rules of CommonMark', () => {
  test.each([
    ['\\!\\"\\#\\$\\%\\&\\\'\\(\\)\\*\\+\\,\\-\\.\\/\\:\\;\\<\\=\\>\\?', '!"#$%&\'()*+,-./:;<=>?'],
    ['\\@\\[\\\\\\]\\^\\_\\`\\{\\|\\}\\~', '@[\\]^_`{|}~'],
    ['\\\t\\A\\a\\ \\3', '\\\t\\A\\a\\ \\3'],
    [
      '\\*not emphasized* \\[not a link](/foo) \\`not code`',
      '*not emphasized* [not a link](/foo) `not code`',
    ],
    ['\\\\*emphasis*', '\\<em>emphasis</em>'],
    ['`` \\[\\` ``', '<code>\\[\\`</code>'],
    ['&lt; &amp; &quot; &copy; &nbsp;x', '< & " ©  x'],
    ['&#35; &#1234; &#X22; &#xcab;', '# Ӓ " ಫ'],
    ['&nbsp &x; &#; &#x; &#abcdef0; &#87654321; &hi?;', '&nbsp &x; &#; &#x; &#abcdef0; &#87654321; &hi?;'],
    ['&#42;a&#42; &#38;lt; &amp;#60;', '*a* &lt; &#60;'],
    ['`&lt;`', '<code>&lt;</code>'],
    ['`` foo ` bar ``', '<code>foo ` bar</code>'],
    ['` `` `', '<code>``</code>'],
    ['`  ``  `', '<code> `` </code>'],
    ['` a`', '<code> a</code>'],
    ['`foo\\`bar`', '<code>foo\\</code>bar`'],
    ['*foo`*`', '*foo<code>*</code>'],
    ['```foo``', '```foo``'],
    ['``foo\nbar  \nbaz``', '<code>foo bar   baz</code>'],
    ['[link](/uri "title")', '<a /uri>link</a>'],
    ["[a](</my uri> 't') [b](<> (t))", '<a /my uri>a</a> <a >b</a>'],
    ['[a](\\(foo\\)) [b](foo(and(bar)))', '<a (foo)>a</a> <a foo(and(bar))>b</a>'],
    ['[a](/b?x=1&amp;y=2)', '<a /b?x=1&y=2>a</a>'],
    ['[link [bar](/uri)', '[link <a /uri>bar</a>'],
    ['[*a* `b`](/u)', '<a /u><em>a</em></a><a /u> </a><a /u><code>b</code></a>'],
    ['*[a*](/u)', '*<a /u>a*</a>'],
    ['![foo *bar*](/u "t")', '<img /u foo bar>'],
    ['[![moon](moon.jpg)](/uri)', '<a /uri><em>moon</em></a>'],
    [
      '<http://foo.bar.baz/test?q=hello&id=22>',
      '<a http://foo.bar.baz/test?q=hello&id=22>http://foo.bar.baz/test?q=hello&id=22</a>',
    ],
    ['<foo@bar.example.com>', '<a mailto:foo@bar.example.com>foo@bar.example.com</a>'],
    [
      '<made-up-scheme://foo,bar> <> <m:abc>',
      '<a made-up-scheme://foo,bar>made-up-scheme://foo,bar</a> <> <m:abc>',
    ],
    ['a * foo bar* a*"foo"*', 'a * foo bar* a*"foo"*'],
    ['foo_bar_ _foo_bar_baz_', 'foo_bar_ <em>foo_bar_baz</em>'],
    ['5*6*78', '5<em>6</em>78'],
    ['***foo** bar*', '<strong><em>foo</em></strong><em> bar</em>'],
    ['*foo **bar***', '<em>foo </em><strong><em>bar</em></strong>'],
    ['**foo *bar* baz**', '<strong>foo </strong><strong><em>bar</em></strong><strong> baz</strong>'],
    ['*foo**bar*', '<em>foo**bar</em>'],
    ['**foo*', '*<em>foo</em>'],
    ['foo  \nbar', 'foo<br>bar'],
    ['foo\\\nbar', 'foo<br>bar'],
    ['foo\\\\\nbar', 'foo\\ bar'],
    ['foo \nbar\n baz', 'foo bar baz'],
    ['*foo  \nbar*', '<em>foo<br>bar</em>'],
    ['*foo\\\nbar* [a\\\nb](u)', '<em>foo<br>bar</em> <a u>a<br>b</a>'],
    ['`code\\\nspan`', '<code>code\\ span</code>'],
    ['foo\\', 'foo\\'],
  ])('%j', (markdown, html) => {
    expect(asHtml(markdown)).toBe(html)
  })
})

describe('a paragraph', () => {
  test.each<[string[], string, string[]]>([
    [['a', '  b', 'c '], 'a b c', ['a b c']],
    [['a\\', 'b  ', '  c   ', 'd\\'], 'a\\\nb  \nc   \nd\\', ['a', 'b', 'c', 'd\\']],
    [['a\\\\', 'b'], 'a\\\\ b', ['a\\\\ b']],
    [['a  '], 'a', ['a']],
    [[], '', ['']],
  ])('%j keeps only its hard line breaks', (lines, joined, split) => {
    expect(joinParagraph(lines)).toBe(joined)
    expect(splitParagraph(joined)).toEqual(split)
  })
})
