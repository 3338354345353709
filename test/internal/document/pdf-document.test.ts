// PDF files whose letters, fields or pages cannot all be read: nothing is guessed, and each gap has its note.
import { expect, test } from 'vitest'
import { parseDocument } from '../../../internal/document/document.ts'
import { compositePdf, pdfOf, stream } from '../../support/composite-pdf.ts'
import { makePdf } from '../../support/pdf.ts'

const read = async (bytes: Buffer) => {
  const found = await parseDocument(bytes, 'pdf', { signal: new AbortController().signal })
  return 'skipped' in found
    ? found.skipped
    : { text: found.blocks.map(({ text }) => text).join('\n'), notes: found.notes }
}

const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16()

test.each<[name: string, encoding: string, ordering: string, bytes: Buffer, text: string]>([
  ['Chinese, UCS-2', 'UniGB-UCS2-H', 'GB1', utf16('客船八点出发'), '客船八点出发'],
  ['Chinese, GBK', 'GBK-EUC-H', 'GB1', Buffer.from('bfcdb4acb0cbb5e3', 'hex'), '客船八点'],
  ['Taiwanese, Big5', 'ETen-B5-H', 'CNS1', Buffer.from('a4a4a4e5', 'hex'), '中文'],
  ['Japanese, Shift-JIS', '90ms-RKSJ-H', 'Japan1', Buffer.from('938c8b9e', 'hex'), '東京'],
  ['Japanese, UTF-16', 'UniJIS-UTF16-H', 'Japan1', utf16('東京の船'), '東京の船'],
  ['Korean, UCS-2', 'UniKS-UCS2-H', 'Korea1', utf16('창고의 정원'), '창고의 정원'],
  ['Korean, EUC', 'KSCms-UHC-H', 'Korea1', Buffer.from('c7d1b1db', 'hex'), '한글'],
  ['Korean, glyph numbers', 'Identity-H', 'Korea1', Buffer.from('043e', 'hex'), '가'],
])('%s letters are read from the tables of their registry', async (_, encoding, ordering, bytes, text) => {
  const found = await read(compositePdf(bytes, { encoding, ordering }))
  if (typeof found === 'string') throw new Error(found)
  expect(found.notes).toBeUndefined()
  expect(found.text).toContain(text)
})

test.each([1, 5, 12])('%i codes without letters are marked, not guessed', async (count) => {
  const codes = Buffer.from(Array.from({ length: count }, (_, i) => [0, 36 + i]).flat())
  const found = await read(compositePdf(codes, { encoding: 'Identity-H', ordering: 'Identity' }))
  if (typeof found === 'string') throw new Error(found)
  expect(found.text).toBe(`A line of plain letters.\n${'\ufffd'.repeat(count)}`)
  expect(found.notes).toEqual([
    `${count === 1 ? '1 letter' : `${count} letters`} on page 1 shown as \ufffd: the font does not say which letters they are`,
  ])
})

test('a code that the table of a font lacks is marked between those that it has', async () => {
  const letters = '2 beginbfchar <0001> <0061> <0003> <0063> endbfchar'
  const found = await read(
    compositePdf(Buffer.from('000100020003', 'hex'), {
      encoding: 'Identity-H',
      ordering: 'Identity',
      letters,
    }),
  )
  expect(found).toMatchObject({ text: 'A line of plain letters.\na\ufffdc' })
})

test('rejects a document that contains only such codes', async () => {
  const codes = Buffer.from(Array.from({ length: 40 }, (_, i) => [0, 36 + i]).flat())
  const font = { encoding: 'Identity-H', ordering: 'Identity', plain: 'Page 1' }
  expect(await read(compositePdf(codes, font))).toBe('its fonts do not say which letters they show')
})

test('shows form fields, notes and free text below the page, but no unchecked boxes and no links', async () => {
  const fields = [
    '/Subtype /Widget /FT /Tx /T (ship) /V (Amalia)',
    '/Subtype /Widget /FT /Tx /T (empty) /V ()',
    '/Subtype /Widget /FT /Ch /Ff 131072 /T (port) /V (b) /Opt [[(a) (Arnis)] [(b) (Bremen)]]',
    '/Subtype /Widget /FT /Ch /T (list) /V (b) /Opt [[(a) (Arnis)] [(b) (Bremen)]]',
    '/Subtype /Widget /FT /Ch /T (open) /Opt [(Arnis) (Bremen)]',
    '/Subtype /Widget /FT /Btn /T (paid) /V /Yes /AS /Yes /AP << /N << /Yes 8 0 R /Off 8 0 R >> >>',
    '/Subtype /Widget /FT /Btn /T (late) /V /Off /AS /Off /AP << /N << /Yes 8 0 R /Off 8 0 R >> >>',
    '/Subtype /Text /Contents (Check the hour)',
    '/Subtype /FreeText /Contents (Sails at dawn) /DA (/Helv 12 Tf)',
    '/Subtype /Link /Contents (not text)',
  ]
  const notes = fields.map((one) => `<< /Type /Annot /Rect [10 10 90 30] ${one} >>`)
  const bytes = pdfOf([
    `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${fields.map((_, i) => `${9 + i} 0 R`).join(' ')}] >> >>`,
    '<< /Type /Pages /Kids [3 0 R 6 0 R] /Count 2 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /Annots [${fields.map((_, i) => `${9 + i} 0 R`).join(' ')}] >>`,
    stream('BT /F1 12 Tf 72 720 Td (A form.) Tj ET'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>',
    'null',
    '<< /Type /XObject /Subtype /Form /BBox [0 0 1 1] /Length 0 >>\nstream\n\nendstream',
    ...notes,
  ])
  const found = await read(bytes)
  if (typeof found === 'string') throw new Error(found)
  expect(found.text.split('\n')).toEqual([
    'A form.',
    'Comment: Check the hour',
    'Sails at dawn',
    'ship: Amalia',
    'port: Bremen',
    'list: [ ] Arnis, [x] Bremen',
    'open: [ ] Arnis, [ ] Bremen',
    'paid: Yes',
  ])
  expect(found.notes).toEqual(['no text on page 2: blank or scanned'])
})

test.each([
  ['spaced letters', 'H a r b o r '.repeat(10), true],
  ['Greek letters', Array.from({ length: 6 }, () => 'p l o i o '.repeat(2)).join(''), true],
  ['words', 'The harbor is open. '.repeat(12), false],
  ['a short page', 'H a r b o r', false],
  ['numbers', '1 2 3 4 5 6 7 8 9 '.repeat(8), false],
])('a note lists a page of %s only if its words are split', async (_, line, isNoted) => {
  const found = await read(makePdf([line]))
  if (typeof found === 'string') throw new Error(found)
  const note = 'letters on page 1 are spaced apart, so words may be split'
  expect(found.notes?.includes(note) ?? false).toBe(isNoted)
})
