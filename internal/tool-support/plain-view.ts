// A file as faces show it: its lines bare, and whether they are text for a person at all.
interface PlainWindow {
  start_line: number
  end_line: number
  total_lines: number | null
}

/** The lines without numbers, up to `maxChars`; then the window is what is left of it. */
export function plainView<V extends PlainWindow>(
  data: V,
  content: string,
  page: { total: number; cut: unknown },
  maxChars = Number.POSITIVE_INFINITY,
): { text: string; content: string; data: V; cut: boolean } {
  if (content.length <= maxChars) {
    return { text: plainText(data, content, page), content, data, cut: page.cut !== undefined }
  }
  // no character of two units is torn
  const end = /[\ud800-\udbff]/.test(content[maxChars - 1] ?? '') ? maxChars - 1 : maxChars
  const part = content.slice(0, end)
  const last = data.start_line + part.split('\n').length - 1
  const cut = { ...data, end_line: last, next_line: last, truncated: true }
  return { text: plainText(cut, part, { ...page, cut: 'line' }), content: part, data: cut, cut: true }
}

/** The lines alone; above them which part of the file they are, if they are not all of it. */
function plainText(data: PlainWindow, content: string, page: { total: number; cut: unknown }): string {
  const { start_line: start, end_line: end, total_lines } = data
  if (page.total === 0) return '[empty file]'
  if (start > page.total) return `[no line ${start} of ${total_lines ?? page.total}]`
  const isWhole = start === 1 && end === total_lines && page.cut === undefined
  const of = total_lines === null ? `${page.total} or more` : total_lines
  const cut = page.cut === 'line' ? `; line ${end} is cut` : ''
  return isWhole ? content : `[lines ${start}-${end} of ${of}${cut}]\n${content}`
}

const controlSample = 8192

/** Over a tenth of the first bytes are control characters that do not end or indent lines. */
export function isMostlyControl(prefix: Buffer): boolean {
  const sample = prefix.subarray(0, controlSample)
  let control = 0
  for (const byte of sample)
    if ((byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) || byte === 127) control++
  return control * 10 > sample.length
}
