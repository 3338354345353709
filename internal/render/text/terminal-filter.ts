// Terminal filter: it removes anything from foreign text that could control a terminal.

/** Matches text of printable ASCII, which needs no filter. */
const PLAIN = /^[\x20-\x7e]*$/

/** Patterns that cover all of Unicode. They are created for the first text that is not plain ASCII. */
const patterns = { suspect: undefined as RegExp | undefined, glue: undefined as RegExp | undefined }

/**
 * Returns a pattern for all characters that the filter may change. Text without them only has to be
 * normalized to NFC.
 */
const getSuspectPattern = () =>
  (patterns.suspect ??= new RegExp(
    [
      String.raw`[\0-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb`,
      String.raw`\p{VS}\p{Cs}\u{e0000}-\u{e007f}]|\u200d`,
    ].join(''),
    'u',
  ))

/**
 * Matches control sequences in their seven and eight bit forms (ECMA-48). A control string extends to its
 * terminator or to a cancel character (CAN, SUB) or, without either, to the end of the text. A CSI sequence,
 * and any other escape (character sets, resets), extends to its final byte.
 */
const SEQUENCE = new RegExp(
  [
    String.raw`(?:\x1b\]|\x9d)[\s\S]*?(?:\x07|\x1b\\|\x9c|[\x18\x1a]|$)|(?:\x1b[PX^_]|`,
    String.raw`[\x90\x98\x9e\x9f])[\s\S]*?(?:\x1b\\|\x9c|[\x18\x1a]|$)|(?:\x1b\[|\x9b)[\x20-\x3f]*`,
    String.raw`[\x40-\x7e]?|\x1b[\x20-\x2f]*[\x30-\x7e]`,
  ].join(''),
  'g',
)

/**
 * Matches the remaining control characters (C0 without the line feed, DEL, C1), and invisible format
 * characters that move or reorder text.
 */
const INVISIBLE =
  /[\0-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** Pattern of one emoji with its skin tone, selector and tags. */
const FACE = '\\p{ExtPict}(?:\\p{EMod}|\\p{VS})*(?:[\\u{e0020}-\\u{e007e}]+\\u{e007f})?'

/**
 * Pattern of an emoji cluster. The filter keeps joiners, selectors and tags only inside such a cluster. In
 * other text they are invisible, so they are removed.
 */
const EMOJI = `\\p{RI}\\p{RI}|[0-9#*]\\ufe0f\\u20e3|${FACE}(?:\\u200d${FACE})*`

const getGluePattern = () =>
  (patterns.glue ??= new RegExp(`(${EMOJI})|(?:\\u200d|\\p{VS}|[\\u{e0000}-\\u{e007f}])`, 'gu'))

/**
 * Returns the text without anything that could control a terminal: control characters, whole escape
 * sequences, bidirectional and other invisible controls. A lone surrogate becomes U+FFFD, and a tab two
 * spaces; the result is NFC. Line ends become LF with `keepLines`, else one space each. A second pass changes
 * nothing. The time is linear.
 */
export function sanitizeText(text: string, { keepLines = false }: { keepLines?: boolean } = {}): string {
  if (PLAIN.test(text)) return text
  if (!getSuspectPattern().test(text)) return text.normalize('NFC')
  const sane = text
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(SEQUENCE, '')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\t/g, '  ')
    .replace(INVISIBLE, '')
    .replace(getGluePattern(), (_, emoji: string | undefined) => emoji ?? '')
    .normalize('NFC')
  return keepLines ? sane : sane.replaceAll('\n', ' ')
}

const printable = /^[\x20-\x7e\n]*$/
const style = /(\x1b\[[0-9;]*m)/

/**
 * Filters the output of a program like `sanitizeText` with `keepLines`, but keeps the codes for colors and
 * type styles, which tables and reports use. Codes that conceal text are removed.
 */
export function filterPrintedText(text: string): string {
  if (printable.test(text)) return text
  return text
    .split(style)
    .map((part, i) => (i % 2 === 1 ? (isStyle(part) ? part : '') : sanitizeText(part, { keepLines: true })))
    .join('')
}

/**
 * Returns true if text stays visible after the sequence. It may not after conceal (8), codes for fonts (10 to
 * 20), and codes above 107.
 */
function isStyle(sequence: string): boolean {
  const codes = sequence.slice(2, -1).split(';').map(Number)
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number
    if (code === 8 || (code >= 10 && code <= 20) || code > 107) return false
    if (code === 38 || code === 48) i += codes[i + 1] === 5 ? 2 : 4
  }
  return true
}
