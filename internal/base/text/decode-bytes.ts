// Bytes in a named encoding as text.

/**
 * Returns the text of bytes in a named encoding. Throws RangeError for an unknown encoding; with `fatal` also
 * TypeError for invalid bytes. `isCut` skips an incomplete character at the end. Decodes as a stream, because
 * in one step Node decodes Windows-1252 as ISO-8859-1.
 */
export function decodeBytes(
  bytes: Uint8Array,
  encoding: string,
  { fatal = false, cut: isCut = false }: { fatal?: boolean; cut?: boolean } = {},
): string {
  const decoder = new TextDecoder(encoding, { fatal })
  const text = decoder.decode(bytes, { stream: true })
  return isCut ? text : text + decoder.decode()
}
