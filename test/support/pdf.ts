// Small PDF files with text, one string per page.

/** A valid, uncompressed PDF. Parentheses and backslashes in the text are escaped. */
export function makePdf(pages: readonly string[], title?: string): Buffer {
  const objects: string[] = []
  const add = (body: string) => objects.push(body)
  const kids = pages.map((_, i) => `${4 + i * 2} 0 R`).join(' ')
  add('<< /Type /Catalog /Pages 2 0 R >>')
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`)
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  for (const [i, text] of pages.entries()) {
    const lines = text.split('\n').map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj 0 -14 Td`)
    const stream = text === '' ? '' : `BT /F1 12 Tf 72 720 Td ${lines.join(' ')} ET`
    const resources = '/Resources << /Font << /F1 3 0 R >> >>'
    add(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${resources} /Contents ${5 + i * 2} 0 R >>`)
    add(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`)
  }
  if (title !== undefined) add(`<< /Title (${title}) >>`)
  let out = '%PDF-1.4\n'
  const offsets = objects.map((body, i) => {
    const at = out.length
    out += `${i + 1} 0 obj\n${body}\nendobj\n`
    return at
  })
  const start = out.length
  out += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`
  out += offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const info = title === undefined ? '' : ` /Info ${objects.length} 0 R`
  out += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${info} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(out, 'latin1')
}
