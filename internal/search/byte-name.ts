// Display of file names and lines in other encodings, and the check whether a name can be passed
// to another program.

import { escapeInvisible } from '../base/text/invisible-chars.ts'
import { type ByteName, bytesOfText, textOfBytes } from '../base/text/text-encoding.ts'

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
  const whole = text.includes('\ufffd') ? rescue(name) : text
  return escapeControls(whole).replaceAll('\t', '\\t')
}

/** Returns the name with each byte that is not valid UTF-8 in the form `\xff`. */
function rescue(name: ByteName): string {
  const bytes = Buffer.from(name, 'latin1')
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

const replacement = Buffer.from('\ufffd')
