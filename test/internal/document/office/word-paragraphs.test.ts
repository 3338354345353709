// Paragraphs of Word files: what a reader sees of them.
import { expect, test } from 'vitest'
import { parseDocument } from '../../../../internal/document/document.ts'
import { makeDocx, wordParagraph, wordTable } from '../../../support/zip.ts'

async function blocksOf(body: string, parts: Record<string, string> = {}) {
  const read = await parseDocument(makeDocx(body, { parts }), 'docx', {
    signal: new AbortController().signal,
  })
  if ('skipped' in read) throw new Error(read.skipped)
  return read.blocks.map(({ text, heading }) => (heading === undefined ? text : `${heading}: ${text}`))
}

test('skips deleted text, field codes and second copies', async () => {
  const body =
    '<w:p><w:r><w:t>kept</w:t><w:tab/><w:t>too</w:t><w:br/></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>' +
    '<w:ins><w:r><w:t>added</w:t></w:r></w:ins><w:r><w:instrText>PAGE</w:instrText></w:r></w:p>' +
    '<w:p><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>in a box</w:t></w:r></w:p></w:txbxContent></mc:Choice>' +
    '<mc:Fallback><w:p><w:r><w:t>in a box</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent><w:r><w:t>around it</w:t></w:r></w:p>'
  expect(await blocksOf(body)).toEqual(['kept too\nadded', 'in a box', 'around it'])
})

test('finds headings by style names and by outline levels', async () => {
  const outline = '<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>Inner</w:t></w:r></w:p>'
  const body = wordParagraph('Outer', 'berschrift1') + outline + wordParagraph('text')
  expect(await blocksOf(body)).toEqual(['Outer: Outer', 'Outer > Inner: Inner', 'Outer > Inner: text'])
})

test('reads a table within a cell, and footnotes at the end', async () => {
  const inner = wordTable([['x', 'y']])
  const body = `<w:tbl><w:tr><w:tc>${wordParagraph('1')}${inner}</w:tc><w:tc>${wordParagraph('2')}</w:tc></w:tr></w:tbl>`
  const notes = `<w:footnotes><w:footnote>${wordParagraph('a note')}</w:footnote></w:footnotes>`
  expect(await blocksOf(body, { 'word/footnotes.xml': notes })).toEqual(['1 x | y | 2', '[^1] a note'])
})

test.each([
  ['before another row', '', '</w:tbl>'],
  ['at the end of its table', '</w:tr>', '</w:tbl>'],
  ['at the end of the document', '</w:tr>', ''],
])('keeps a table row without its closing tag: %s', async (_, closing, end) => {
  const row = (text: string) => `<w:tr><w:tc>${wordParagraph(text)}</w:tc>`
  const body = `<w:tbl>${row('one')}${closing}${row('two')}${end}`
  expect(await blocksOf(body)).toEqual(['one', 'two'])
})

test.each<[font: string, code: string, text: string]>([
  ['Symbol', 'F061', 'α'],
  ['Symbol', '0044', 'Δ'],
  ['Symbol', 'F0A3', '≤'],
  ['Symbol', 'F0FF', '\ufffd'],
  ['Wingdings', 'F0FC', '✓'],
  ['Wingdings', 'F041', '\ufffd'],
  ['Webdings', 'F041', '\ufffd'],
  ['Arial', '20AC', '€'],
  ['Arial', 'zz', '\ufffd'],
])('the letter %s %s is %s', async (font, code, text) => {
  const body = `<w:p><w:r><w:t>a</w:t><w:sym w:font="${font}" w:char="${code}"/><w:t>b</w:t></w:r></w:p>`
  const read = await parseDocument(makeDocx(body), 'docx', { signal: new AbortController().signal })
  expect('blocks' in read && read.blocks[0]?.text).toBe(`a${text}b`)
})

test('puts the phonetic reading of a word after it', async () => {
  const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`
  const body = `<w:p>${run('船は')}<w:r><w:ruby><w:rt>${run('とうきょう')}</w:rt><w:rubyBase>${run('東京')}</w:rubyBase></w:ruby></w:r>${run('へ行く')}</w:p>`
  const read = await parseDocument(makeDocx(body), 'docx', { signal: new AbortController().signal })
  expect('blocks' in read && read.blocks[0]?.text).toBe('船は東京(とうきょう)へ行く')
})
