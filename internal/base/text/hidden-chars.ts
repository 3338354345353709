// Escapes for characters that a model reads and a user cannot see.

const emoji =
  '\\u{1f3f4}[\\u{e0030}-\\u{e007a}]{2,6}\\u{e007f}|' +
  '\\p{RI}\\p{RI}|[0-9#*]\\ufe0f\\u20e3|' +
  '\\p{ExtPict}(?:\\p{EMod}|\\ufe0e|\\ufe0f|\\u200d\\p{ExtPict})*'

/**
 * Sequences in which hidden characters have a meaning, and a byte order mark at the beginning.
 * They stay unchanged.
 */
const meaningful = [
  emoji,
  '^\\ufeff',
  // a selector that chooses one variant of an ideograph or a symbol is visible by its effect
  '\\p{Script=Han}[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]',
  '[^\\x00-\\xff\\p{L}\\p{M}\\p{C}][\\ufe00-\\ufe0f]',
  // variant selectors and joiners have a visible effect in scripts that use them
  '(?<=[\\u1820-\\u18aa])[\\u180b-\\u180f]',
  '(?<=[\\p{L}\\p{M}])(?<![\\p{sc=Latin}\\p{sc=Cyrillic}\\p{sc=Greek}\\p{sc=Han}])[\\u200c\\u200d]',
].join('|')

const hidden =
  '[\\p{Default_Ignorable_Code_Point}\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f' +
  '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufff9-\\ufffb]'

let pattern: RegExp | undefined

/** Returns the text with hidden characters as escapes such as `\u{e0041}`, and how many there were. */
export function writeOutHidden(text: string): { text: string; count: number } {
  if (/^[\x20-\x7e\n\r\t]*$/.test(text)) return { text, count: 0 }
  pattern ??= new RegExp(`(${meaningful})|${hidden}`, 'gu')
  let count = 0
  const visibleText = text.replace(pattern, (char: string, keptChar: string | undefined) => {
    if (keptChar !== undefined) return keptChar
    count++
    return `\\u{${(char.codePointAt(0) as number).toString(16)}}`
  })
  return { text: visibleText, count }
}

/** Returns the text with each escape that `writeOutHidden` writes replaced by its hidden character. */
export function readBackHidden(text: string): string {
  if (!text.includes('\\u{')) return text
  return text.replace(/\\u\{([0-9a-f]{1,5})\}/g, (written, digits: string) => {
    const char = String.fromCodePoint(Number.parseInt(digits, 16))
    return writeOutHidden(`x${char}`).text === `x${written}` ? char : written
  })
}
