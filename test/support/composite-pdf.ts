// PDF files whose objects are written by hand: fonts of two-byte codes with and without tables of letters.

/** Objects by their number from 1. */
export function pdfOf(objects: readonly string[]): Buffer {
  const body = objects.map((text, i) => `${i + 1} 0 obj\n${text}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.4\n${body}trailer\n<< /Root 1 0 R >>\n%%EOF\n`, 'latin1')
}
export const stream = (text: string) => `<< /Length ${text.length} >>\nstream\n${text}\nendstream`

interface CompositeFont {
  encoding: string
  /** Registry and ordering of the letters. */
  ordering: string
  /** Codes and letters of the font's own table. */
  letters?: string
  /** The line in Helvetica. */
  plain?: string
}

/** Returns a page with `shown` in a font of two-byte codes, after a line in Helvetica. */
export function compositePdf(
  shown: Buffer,
  { encoding, ordering, letters, plain = 'A line of plain letters.' }: CompositeFont,
): Buffer {
  const map = `begincmap\n1 begincodespacerange <0000> <ffff> endcodespacerange\n${letters}\nendcmap`
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
    stream(`BT /F1 12 Tf 72 720 Td (${plain}) Tj 0 -40 Td /F2 12 Tf <${shown.toString('hex')}> Tj ET`),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /${encoding} /DescendantFonts [7 0 R] ${letters === undefined ? '' : '/ToUnicode 9 0 R'} >>`,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 0 >> /FontDescriptor 8 0 R >>`,
    '<< /Type /FontDescriptor /FontName /X /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
    stream(map),
  ])
}
