// The text and data of a file as adapters show it, in lines without numbers, and the check whether a file
// is readable text.
interface PlainWindow {
  start_line: number
  end_line: number
  total_lines: number | null
}

/**
 * Returns the lines of a file without numbers, up to `maxChars` characters (default: all), with `data` for
 * the returned lines.
 */
export function plainView<V extends PlainWindow>(
  data: V,
  content: string,
  page: { total: number; cut: unknown },
  maxChars = Number.POSITIVE_INFINITY,
): { text: string; content: string; data: V; cut: boolean } {
  if (content.length <= maxChars) {
    return { text: plainText(data, content, page), content, data, cut: page.cut !== undefined }
  }
  // The cut does not split a character that consists of two UTF-16 units.
  const end = /[\ud800-\udbff]/.test(content[maxChars - 1] ?? '') ? maxChars - 1 : maxChars
  const part = content.slice(0, end)
  const last = data.start_line + part.split('\n').length - 1
  // After a cut at the end of a line, the next line is the one to continue with.
  const isLineEnd = content[end] === '\n'
  const next = isLineEnd ? last + 1 : last
  const shortWindow = { ...data, end_line: last, next_line: next, truncated: true }
  return {
    text: plainText(shortWindow, part, { ...page, cut: isLineEnd ? 'lines' : 'line' }),
    content: part,
    data: shortWindow,
    cut: true,
  }
}

/**
 * Returns only the lines of the file. If they are a part of the file, a line above them names the part. A
 * notice replaces the lines of an empty file, and of a range after its end.
 */
function plainText(data: PlainWindow, content: string, page: { total: number; cut: unknown }): string {
  const { start_line: start, end_line: end, total_lines } = data
  if (page.total === 0) return '[empty file]'
  if (start > page.total) return `[no line ${start} of ${total_lines ?? page.total}]`
  const isWhole = start === 1 && end === total_lines && page.cut === undefined
  const of = total_lines === null ? `${page.total} or more` : total_lines
  const cutNote = page.cut === 'line' ? `; line ${end} is cut` : ''
  return isWhole ? content : `[lines ${start}-${end} of ${of}${cutNote}]\n${content}`
}

const controlSample = 8192

/**
 * Returns true if more than a tenth of the first 8,192 bytes of a file are control characters, apart from
 * line ends and tabs.
 */
export function isMostlyControl(prefix: Buffer): boolean {
  const sample = prefix.subarray(0, controlSample)
  let control = 0
  for (const byte of sample)
    if ((byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) || byte === 127) control++
  return control * 10 > sample.length
}
