// The character references that models write in Markdown, such as `&lt;`.

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bull: '•',
  middot: '·',
  times: '×',
  rarr: '→',
  larr: '←',
  deg: '°',
  euro: '€',
}

/** Matches one letter, mark, digit, punctuation mark or symbol, or a space. */
const visible = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u

/**
 * Returns the text with decoded references to characters that can be seen. Others stay unchanged, so that no
 * decoded character controls a terminal.
 */
export function decodeHtmlEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[String(name).toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    const char = code <= 0x10ffff ? String.fromCodePoint(code) : ''
    return visible.test(char) ? char : whole
  })
}
