// Escapes such as `\x1b` and `\u202e` in place of invisible characters, and such as `\xff` for bytes in
// names of files that are not UTF-8.
import { type ByteName, bytesOfText, textOfBytes } from './byte-name.ts'

/** Character sets as functions, so that a start with only plain text does not load Unicode properties. */
const sets = {
  /**
   * C0 controls without the tab; DEL and C1; line separators; bidirectional and other invisible controls:
   * characters that break a line of output.
   */
  controls: () =>
    /[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g,
  /**
   * All control, format, private and unassigned characters, lone surrogates, and the separators
   * U+2028 and U+2029.
   */
  formats: () => /[\p{C}\u2028\u2029]/gu,
  /**
   * Characters that a reader cannot see or cannot distinguish from a space. These are ignorable
   * characters, spaces except the ASCII one, the characters of `formats`, and three blank characters
   * without such a property.
   */
  unseen: () => /(?! )[\p{Default_Ignorable_Code_Point}\p{Z}\p{C}\u2800\u{16fe4}\u{1d159}]/gu,
} as const

interface EscapeOptions {
  /** The set of characters to escape. Default: `unseen`. */
  chars?: keyof typeof sets
  /** Replacement for a line feed that the set contains. Default: its escape sequence. */
  lineFeed?: string
  /** Replacement for a tab that the set contains (`controls` does not). Default: its escape sequence. */
  tab?: string
  /**
   * True to write all characters above U+00FF with braces, `\u{202e}`. Default: only those that need them.
   */
  braced?: boolean
}

const plain = /^[\x20-\x7e]*$/

/** Returns the text with all characters of the set escaped. Nothing is removed. */
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

/** Returns true if a name is valid UTF-8, so that it can be an argument of another program. */
export const isPassable = (name: ByteName): boolean => bytesOfText(textOfBytes(name)) === name

/**
 * Returns the text with visible escapes for control characters, so that it cannot start a new line.
 * Tabs are kept.
 */
export const escapeControls = (text: string): string => escapeInvisible(text, { chars: 'controls' })

/**
 * Returns a name on one line. Control characters and tabs are shown as escapes, and bytes that are not
 * UTF-8 as `\xff`.
 */
export function shownName(name: ByteName): string {
  const text = textOfBytes(name)
  const whole = text.includes('\ufffd') ? escapeBytes(name) : text
  return escapeControls(whole).replaceAll('\t', '\\t')
}

/** Returns the name with each byte that is not valid UTF-8 in the form `\xff`. */
function escapeBytes(name: ByteName): string {
  const bytes = Buffer.from(name, 'latin1')
  const replacement = Buffer.from('\ufffd')
  let out = ''
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] as number
    const size = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
    const char = bytes.toString('utf8', at, at + size)
    const valid = !char.includes('\ufffd') || bytes.subarray(at, at + 3).equals(replacement)
    out += valid ? char : `\\x${first.toString(16)}`
    at += valid ? size : 1
  }
  return out
}
