// Text files that are not UTF-8, as `read` shows them.
import { decodeAnyText, describeGuess } from '../base/text/detect-encoding.ts'

interface ForeignText {
  text: string
  encoding: string
  /** Text that says which encoding the file has, and whether that is a guess. */
  note: string
}

/**
 * Returns the text with a note about its encoding; undefined if the bytes are not text in a known encoding.
 */
export async function readForeignText(bytes: Buffer, isWhole: boolean): Promise<ForeignText | undefined> {
  const decoded = await decodeAnyText(bytes, undefined, !isWhole)
  if (!decoded) return undefined
  const read = describeGuess(decoded) ?? `read as ${decoded.encoding}`
  return {
    text: decoded.text,
    encoding: decoded.encoding,
    note: `${read}; edit_file changes UTF-8 text only`,
  }
}
