// Counts characters of a line the way a server does, and back.
import type { PositionEncoding } from './lsp-client.ts'

/**
 * From UTF-16 code units to what the server counts in. A column behind the end of the line stays behind it.
 */
export function toServerColumn(
  line: string | undefined,
  character: number,
  encoding: PositionEncoding,
): number {
  if (encoding === 'utf-16' || line === undefined) return character
  return Buffer.byteLength(line.slice(0, character), 'utf8') + Math.max(0, character - line.length)
}

/** From what the server counts in to UTF-16 code units; in the middle of a character its beginning counts. */
export function fromServerColumn(
  line: string | undefined,
  character: number,
  encoding: PositionEncoding,
): number {
  if (encoding === 'utf-16' || line === undefined) return character
  let bytes = 0
  let units = 0
  for (const sign of line) {
    bytes += Buffer.byteLength(sign, 'utf8')
    if (bytes > character) return units
    units += sign.length
  }
  return units + (character - bytes)
}
