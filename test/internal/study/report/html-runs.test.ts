// Runs as HTML: nested elements, and foreign text that stays text.
import { parseHTML } from 'linkedom'
import { expect, it, test } from 'vitest'
import { escapeReport, writeHtmlRuns } from '../../../../internal/study/report/html-runs.ts'

const link = { href: 'https://a.example/?b=1&c="d"', isImage: false }

test.each([
  [[{ text: 'a', isBold: true, isItalic: true, isCode: true }], '<strong><em><code>a</code></em></strong>'],
  [[{ text: 'a' }, { text: 'b', isStruck: true }], 'a<s>b</s>'],
  [
    [{ text: 'the ', link }, { text: 'guide', isItalic: true, link }, { text: '.' }],
    '<a href="https://a.example/?b=1&amp;c=&quot;d&quot;">the <em>guide</em></a>.',
  ],
  [
    [
      {
        text: '[1, 2 not verified, 3 (in other words)]',
        cited: [
          { n: 1, state: 'verified' as const },
          { n: 2, state: 'not_found' as const },
          { n: 3, state: 'quoted' as const },
        ],
      },
    ],
    '<span class="cite">[<a href="#source-1">1</a>, <a href="#source-2">2</a><em> not verified</em>, <a href="#source-3">3</a><em> (in other words)</em>]</span>',
  ],
  [[{ text: '[no source]', cited: [] }], '<span class="cite">[no source]</span>'],
  [[{ text: '[uncited]', isDoubt: true }], '<mark>[uncited]</mark>'],
])('%j', (runs, html) => {
  expect(writeHtmlRuns(runs)).toBe(html)
})

it('foreign text is text', () => {
  const text = '<script>alert(1)</script> & "q" \'s\' \u202ered\x1b[31m\ud800'
  const { document } = parseHTML(`<p>${writeHtmlRuns([{ text, isCode: true }])}</p>`)
  expect(document.querySelectorAll('script').length).toBe(0)
  expect(document.querySelector('code')?.textContent).toBe('<script>alert(1)</script> & "q" \'s\' red[31m')
  expect(escapeReport('"\u2066<')).toBe('&quot;&lt;')
})
