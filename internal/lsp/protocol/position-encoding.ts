// The conversion of columns between UTF-16 code units and the unit that a server counts, such as UTF-8 bytes.
import type { PositionEncoding } from './lsp-client.ts'

/**
 * Converts a column from UTF-16 code units to the units of the server. A column after the end of the line
 * stays after the end. Without `line`, the column is unchanged.
 */
export function toServerColumn(
  line: string | undefined,
  character: number,
  encoding: PositionEncoding,
): number {
  if (encoding === 'utf-16' || line === undefined) return character
  return Buffer.byteLength(line.slice(0, character), 'utf8') + Math.max(0, character - line.length)
}

/**
 * Converts a column from the units of the server to UTF-16 code units. A column inside a character becomes
 * its beginning. Without `line`, the column is unchanged.
 */
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
