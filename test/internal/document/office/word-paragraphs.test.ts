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

test('what was deleted, codes of fields and second copies are left out', async () => {
  const body =
    '<w:p><w:r><w:t>kept</w:t><w:tab/><w:t>too</w:t><w:br/></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>' +
    '<w:ins><w:r><w:t>added</w:t></w:r></w:ins><w:r><w:instrText>PAGE</w:instrText></w:r></w:p>' +
    '<w:p><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>in a box</w:t></w:r></w:p></w:txbxContent></mc:Choice>' +
    '<mc:Fallback><w:p><w:r><w:t>in a box</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent><w:r><w:t>around it</w:t></w:r></w:p>'
  expect(await blocksOf(body)).toEqual(['kept too\nadded', 'in a box', 'around it'])
})

test('headings by the names of styles and by outline levels', async () => {
  const outline = '<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>Inner</w:t></w:r></w:p>'
  const body = wordParagraph('Outer', 'berschrift1') + outline + wordParagraph('text')
  expect(await blocksOf(body)).toEqual(['Outer: Outer', 'Outer > Inner: Inner', 'Outer > Inner: text'])
})

test('a table within a cell, and footnotes at the end', async () => {
  const inner = wordTable([['x', 'y']])
  const body = `<w:tbl><w:tr><w:tc>${wordParagraph('1')}${inner}</w:tc><w:tc>${wordParagraph('2')}</w:tc></w:tr></w:tbl>`
  const notes = `<w:footnotes><w:footnote>${wordParagraph('a note')}</w:footnote></w:footnotes>`
  expect(await blocksOf(body, { 'word/footnotes.xml': notes })).toEqual(['1 x | y | 2', '[^1] a note'])
})
