// Small PDF files with text.

/**
 * Returns a valid, uncompressed PDF, one string per page. Parentheses and backslashes in the
 * text are escaped.
 */
export function makePdf(pages: readonly string[], title?: string): Buffer {
  const streams = pages.map((text) => {
    const lines = text.split('\n').map((line) => `(${escapePdf(line)}) Tj 0 -14 Td`)
    return text === '' ? '' : `BT /F1 12 Tf 72 720 Td ${lines.join(' ')} ET`
  })
  return assemblePdf(streams, title === undefined ? {} : { info: `/Title (${title})` })
}

/** A line of a page with its font size in points, and its distance below the previous line. */
interface PlacedLine {
  text: string
  size?: number
  drop?: number
  x?: number
}

/** Returns pages of placed lines, from the top. */
export function layOutPdf(pages: readonly (readonly PlacedLine[])[], parts: PdfParts = {}): Buffer {
  const streams = pages.map((lines) => {
    let y = 740
    const shown = lines.map(({ text, size = 11, drop = 14, x = 72 }) => {
      y -= drop
      return `BT /F1 ${size} Tf ${x} ${y} Td (${escapePdf(text)}) Tj ET`
    })
    return shown.join('\n')
  })
  return assemblePdf(streams, parts)
}

const escapePdf = (text: string) => text.replace(/[\\()]/g, '\\$&')

/** Entries of the information dictionary and of the trailer, as the file writes them. */
interface PdfParts {
  info?: string
  trailer?: string
}

/** Returns a PDF of these content streams. */
export function assemblePdf(streams: readonly string[], { info, trailer = '' }: PdfParts = {}): Buffer {
  const objects: string[] = []
  const add = (body: string) => objects.push(body)
  const kids = streams.map((_, i) => `${4 + i * 2} 0 R`).join(' ')
  add('<< /Type /Catalog /Pages 2 0 R >>')
  add(`<< /Type /Pages /Kids [${kids}] /Count ${streams.length} >>`)
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>')
  for (const [i, stream] of streams.entries()) {
    const resources = '/Resources << /Font << /F1 3 0 R >> >>'
    add(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${resources} /Contents ${5 + i * 2} 0 R >>`)
    add(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`)
  }
  if (info !== undefined) add(`<< ${info} >>`)
  let out = '%PDF-1.4\n'
  const offsets = objects.map((body, i) => {
    const at = out.length
    out += `${i + 1} 0 obj\n${body}\nendobj\n`
    return at
  })
  const start = out.length
  out += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`
  out += offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const about = info === undefined ? '' : ` /Info ${objects.length} 0 R`
  out += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${about}${trailer} >>\n`
  out += `startxref\n${start}\n%%EOF\n`
  return Buffer.from(out, 'latin1')
}

/** An image of a page: its dictionary without type and length, and its bytes. */
export interface PdfImage {
  dictionary: string
  bytes: Buffer
}

/** Returns a PDF of one page with a line of text and these images, each shown twice. */
export function makeImagePdf(images: readonly PdfImage[], text = 'Hello'): Buffer {
  const names = images.map((_, i) => `/I${i}`)
  const shown = [...names, ...names].map((name) => `q 9 0 0 9 0 0 cm ${name} Do Q`)
  const content = [`BT /F 12 Tf 9 50 Td (${escapePdf(text)}) Tj ET`, ...shown].join('\n')
  const resources = names.map((name, i) => `${name} ${6 + i} 0 R`).join('')
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<<${resources}>>>>>>`,
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...images.map(
      ({ dictionary, bytes }) =>
        `<</Type/XObject/Subtype/Image${dictionary}/Length ${bytes.length}>>\nstream\n${bytes.toString('latin1')}\nendstream`,
    ),
  ].map((one, i) => `${i + 1} 0 obj\n${one}\nendobj\n`)
  return Buffer.from(`%PDF-1.4\n${objects.join('')}trailer <</Root 1 0 R>>\n`, 'latin1')
}
