// References to characters in Markdown.
import { expect, it } from 'vitest'
import { decodeHtmlEntities } from '../../../../internal/base/text/html-entities.ts'

it('decodes printable entities once and leaves everything else unchanged', () => {
  expect(decodeHtmlEntities('a &lt;b&gt; &amp;lt; &QUOT;&#65;&#x42;')).toBe('a <b> &lt; "AB')
  for (const odd of ['&#27;[31m', '&#x1b;', '&#x202e;', '&nothing;', '& lt;', '&#99999999;'])
    expect(decodeHtmlEntities(odd)).toBe(odd)
})
