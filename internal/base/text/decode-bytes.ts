// Bytes in a named encoding as text.

/**
 * Throws RangeError for an unknown encoding; with `fatal` also TypeError for bytes that are not in it.
 * `cut` allows an incomplete character at the end. In one step Node decodes Windows-1252 as ISO-8859-1;
 * as a stream it decodes it correctly.
 */
export function decodeBytes(
  bytes: Uint8Array,
  encoding: string,
  { fatal = false, cut = false }: { fatal?: boolean; cut?: boolean } = {},
): string {
  const decoder = new TextDecoder(encoding, { fatal })
  const text = decoder.decode(bytes, { stream: true })
  return cut ? text : text + decoder.decode()
}
