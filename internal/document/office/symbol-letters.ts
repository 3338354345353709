// Letters of symbol fonts, whose codes are not those of Unicode.

const upperGreek = 'ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ'
const lowerGreek = 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ'

/** Boxes, arrows and marks of lists and forms. */
const wingdings: Readonly<Record<number, string>> = {
  108: '●',
  110: '■',
  113: '❑',
  118: '❖',
  167: '▪',
  168: '☐',
  216: '➢',
  223: '←',
  224: '→',
  225: '↑',
  226: '↓',
  251: '✗',
  252: '✓',
  253: '☒',
  254: '☑',
}

const symbols: Readonly<Record<number, string>> = {
  163: '≤',
  165: '∞',
  174: '→',
  176: '°',
  177: '±',
  179: '≥',
  180: '×',
  182: '∂',
  183: '•',
  184: '÷',
  185: '≠',
  187: '≈',
  206: '∈',
  208: '∠',
  214: '√',
  229: '∑',
  242: '∫',
}

/**
 * Returns the letter that a font shows for `code`, which is in hex as in `w:sym`. An unknown letter becomes
 * U+FFFD, never another letter.
 */
export function symbolOf(font: string, code: string): string {
  const full = Number.parseInt(code, 16)
  if (!(full > 0 && full <= 0x10ffff)) return '\ufffd'
  const isSymbolic = /^(?:symbol|wingdings|webdings|zapf ?dingbats)/i.test(font)
  if (!isSymbolic && (full < 0xe000 || full > 0xf8ff)) return String.fromCodePoint(full)
  const low = full & 0xff
  if (/^wingdings$/i.test(font)) return wingdings[low] ?? '\ufffd'
  if (!/^symbol$/i.test(font)) return '\ufffd'
  if (low >= 0x41 && low <= 0x5a) return upperGreek[low - 0x41] as string
  if (low >= 0x61 && low <= 0x7a) return lowerGreek[low - 0x61] as string
  if (low >= 0x20 && low <= 0x3f) return String.fromCharCode(low)
  return symbols[low] ?? '\ufffd'
}
