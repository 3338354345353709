// Code in reports: colored words in every form, and the same text with and without colors.
import { expect, test } from 'vitest'
import { codeKinds } from '../../../../internal/base/code/code-runs.ts'
import { codeInks, plainLines } from '../../../../internal/study/report/code-ink.ts'
import { documentOf } from '../../../../internal/study/report/document.ts'
import { renderHtml } from '../../../../internal/study/report/html.ts'
import { renderText } from '../../../../internal/study/report/text.ts'
import { reported } from '../../../support/study.ts'

test.each(codeKinds)('%s is readable on paper', (kind) => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(codeInks[kind].slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  expect(1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)).toBeGreaterThanOrEqual(4.5)
})

test('a text without colors keeps its lines', () => {
  expect(plainLines('a\n\nb').map((runs) => runs.map(({ text }) => text).join(''))).toEqual(['a', '', 'b'])
})

const findings = "So:\n\n```ts\n// why\nconst a = '<b>'\n```\n\nEnd."
const document = () => {
  const whole = documentOf(reported())
  return { ...whole, sections: { ...whole.sections, findings } }
}

test('HTML has an element for each kind of word', () => {
  expect(renderHtml(document())).toContain(
    '<pre><code><span class="comment">// why</span>\n<span class="keyword">const</span> a = ' +
      '<span class="string">&#39;&lt;b&gt;&#39;</span></code></pre>',
  )
})

test('a terminal has colors, and none without them', () => {
  const look = { width: 80, unicode: true, ambiguous: 1, all: true, plain: false } as const
  expect(renderText(document(), { ...look, color: 1 })).toContain('\x1b[35mconst\x1b[39m a = \x1b[32m')
  const plain = renderText(document(), { ...look, color: 0 })
  expect(plain).toContain("const a = '<b>'")
  expect(plain).not.toContain('\x1b')
})
