// Text that a browser reads as text.
import { expect, test } from 'vitest'
import { escapeHtml } from '../../../../internal/base/text/html-escape.ts'

test.each([
  ['a < b && c > d', 'a &lt; b &amp;&amp; c &gt; d'],
  [`<a title="x" class='y'>`, '&lt;a title=&quot;x&quot; class=&#39;y&#39;&gt;'],
  ['&lt;', '&amp;lt;'],
  ['plain é\n', 'plain é\n'],
])('escapes %j', (text, escaped) => expect(escapeHtml(text)).toBe(escaped))
