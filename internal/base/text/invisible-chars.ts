// Shows characters that nobody can see as escapes such as `\x1b` and `\u202e`.

/** Functions: a start that meets only plain text does not have to read properties of all of Unicode. */
const sets = {
  /**
   * C0 but the tab, DEL, C1, line separators, bidirectional and other invisible controls: what breaks a line
   * of output.
   */
  controls: () =>
    /[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g,
  /** Every control and format character, unassigned and private ones too. */
  formats: () => /[\p{C}\u2028\u2029]/gu,
  /**
   * What a reader cannot see or cannot tell from a blank: all that may be ignored when drawn, blanks other
   * than the ASCII one, controls, formats, lone surrogates, what no font has, and three blanks that no
   * property names.
   */
  unseen: () => /(?! )[\p{Default_Ignorable_Code_Point}\p{Z}\p{C}\u2800\u{16fe4}\u{1d159}]/gu,
} as const

interface EscapeOptions {
  /** Which characters are escaped; `unseen` unless said otherwise. */
  chars?: keyof typeof sets
  /** What stands for a line feed; its escape unless said otherwise. */
  lineFeed?: string
  /** What stands for a tab, likewise. */
  tab?: string
  /** Writes all above U+00FF with braces, `\u{202e}`; else only those that need them. */
  braced?: boolean
}

const plain = /^[\x20-\x7e]*$/

/** The same text with everything of the set made visible. Nothing is removed. */
export function escapeInvisible(text: string, options: EscapeOptions = {}): string {
  if (plain.test(text)) return text
  const { chars = 'unseen', lineFeed, tab, braced = false } = options
  return text.replace(sets[chars](), (char) => {
    if (char === '\n' && lineFeed !== undefined) return lineFeed
    if (char === '\t' && tab !== undefined) return tab
    const code = char.codePointAt(0) as number
    const digits = code.toString(16)
    if (code < 0x100) return `\\x${digits.padStart(2, '0')}`
    return code < 0x10000 && !braced ? `\\u${digits.padStart(4, '0')}` : `\\u{${digits}}`
  })
}
