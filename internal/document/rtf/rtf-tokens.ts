// Tokens of an RTF file: groups, control words with their numbers, and bytes of text.

export type RtfToken =
  | { kind: 'open' | 'close' }
  | { kind: 'word'; name: string; value: number | undefined }
  | { kind: 'bytes'; bytes: string }

const token =
  /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/g

/**
 * Yields the tokens of a file. `source` has one character for each byte. Skips line ends and the binary
 * data after `\bin`.
 */
export function* readRtfTokens(source: string): Generator<RtfToken> {
  token.lastIndex = 0
  const pattern = new RegExp(token)
  for (let match = pattern.exec(source); match; match = pattern.exec(source)) {
    const [, name, value, hex, symbol, brace, text] = match
    if (name === 'bin') pattern.lastIndex += Math.max(0, Number(value ?? 0))
    else if (name !== undefined)
      yield { kind: 'word', name, value: value === undefined ? undefined : Number(value) }
    else if (hex !== undefined) yield { kind: 'bytes', bytes: String.fromCharCode(Number.parseInt(hex, 16)) }
    else if (brace !== undefined) yield { kind: brace === '{' ? 'open' : 'close' }
    else if (text !== undefined) yield { kind: 'bytes', bytes: text }
    else if (symbol !== undefined) yield symbolToken(symbol)
  }
}

/**
 * Returns the token for a backslash and the character after it: the word `par` for a line end, bytes for a
 * brace or backslash, else a word with `symbol` as its name.
 */
function symbolToken(symbol: string): RtfToken {
  if (symbol === '\r' || symbol === '\n') return { kind: 'word', name: 'par', value: undefined }
  if (/[\\{}]/.test(symbol)) return { kind: 'bytes', bytes: symbol }
  return { kind: 'word', name: symbol, value: undefined }
}
