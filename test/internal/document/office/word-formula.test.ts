// Formulas of Word files as text: every structure, alone and within another one.
import { expect, test } from 'vitest'
import { parseDocument } from '../../../../internal/document/document.ts'
import { makeDocx } from '../../../support/zip.ts'

const run = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`
const e = (body: string) => `<m:e>${body}</m:e>`
const part = (name: string, body: string) => `<m:${name}>${body}</m:${name}>`
const chr = (name: string, value: string) => `<m:${name} m:val="${value}"/>`

/** Each with the formula of its text, where `x` may be a structure itself. */
const structures: Readonly<Record<string, [xml: (x: string) => string, text: (x: string) => string]>> = {
  fraction: [(x) => part('f', part('num', x) + part('den', run('2'))), (x) => `(${x})/(2)`],
  power: [(x) => part('sSup', e(x) + part('sup', run('2'))), (x) => `${x}^(2)`],
  index: [(x) => part('sSub', e(x) + part('sub', run('i'))), (x) => `${x}_(i)`],
  both: [(x) => part('sSubSup', e(x) + part('sub', run('i')) + part('sup', run('2'))), (x) => `${x}_(i)^(2)`],
  root: [(x) => part('rad', `<m:radPr/><m:deg/>${e(x)}`), (x) => `√(${x})`],
  'cube root': [(x) => part('rad', part('deg', run('3')) + e(x)), (x) => `√[3](${x})`],
  brackets: [(x) => part('d', e(x)), (x) => `(${x})`],
  'square brackets': [
    (x) => part('d', part('dPr', chr('begChr', '[') + chr('endChr', ']')) + e(x) + e(run('b'))),
    (x) => `[${x}|b]`,
  ],
  'one bracket': [
    (x) => part('d', part('dPr', chr('begChr', '{') + chr('endChr', '')) + e(x)),
    (x) => `{${x}`,
  ],
  sum: [
    (x) =>
      part('nary', part('naryPr', chr('chr', '∑')) + part('sub', run('i=1')) + part('sup', run('n')) + e(x)),
    (x) => `∑_(i=1)^(n) ${x}`,
  ],
  integral: [(x) => part('nary', `<m:naryPr/>${part('sub', '')}${part('sup', '')}${e(x)}`), (x) => `∫ ${x}`],
  function: [(x) => part('func', part('fName', run('log')) + e(x)), (x) => `log ${x}`],
  limit: [(x) => part('limLow', e(run('lim')) + part('lim', x)), (x) => `lim_(${x})`],
  'upper limit': [(x) => part('limUpp', e(run('max')) + part('lim', x)), (x) => `max^(${x})`],
  matrix: [
    (x) => part('m', part('mr', e(x) + e(run('b'))) + part('mr', e(run('c')) + e(run('d')))),
    (x) => `[${x}, b; c, d]`,
  ],
  lines: [(x) => part('eqArr', e(x) + e(run('b=2'))), (x) => `${x}; b=2`],
  accent: [(x) => part('acc', part('accPr', chr('chr', '\u0304')) + e(x)), (x) => `${x}\u0304`],
}

const all = Object.entries(structures)
const rows = all.flatMap(([outer, [xml, text]]) => [
  [outer, xml(run('a')), text('a')] as const,
  ...all.map(
    ([inner, [innerXml, innerText]]) =>
      [`${inner} in ${outer}`, xml(innerXml(run('a'))), text(innerText('a'))] as const,
  ),
])

test(`reads ${rows.length} formulas`, async () => {
  const paragraphs = rows.map(([, xml]) => `<w:p><w:r><w:t>is </w:t></w:r><m:oMath>${xml}</m:oMath></w:p>`)
  const read = await parseDocument(makeDocx(paragraphs.join('')), 'docx', {
    signal: new AbortController().signal,
  })
  if ('skipped' in read) throw new Error(read.skipped)
  expect(Object.fromEntries(read.blocks.map(({ text }, i) => [rows[i]?.[0], text]))).toEqual(
    Object.fromEntries(rows.map(([name, , text]) => [name, `is ${text}`])),
  )
})

test('separates formulas next to each other', async () => {
  const formula = (text: string) => `<m:oMath>${run(text)}</m:oMath>`
  const body = `<w:p>${formula('a=b')}${formula('c=d')}<w:r><w:t> end</w:t></w:r></w:p>`
  const read = await parseDocument(makeDocx(body), 'docx', { signal: new AbortController().signal })
  expect('blocks' in read && read.blocks.map(({ text }) => text)).toEqual(['a=b c=d end'])
})
