// Bytes of a keyboard as keys: split sequences, and incomplete ones.
import { expect, test } from 'vitest'
import { openKeyDecoder } from '../../../../internal/tui/terminal/key-decoder.ts'

/** Returns the names of keys, and the pasted texts. */
function readPieces(pieces: readonly string[]): string[] {
  const decoder = openKeyDecoder()
  const found = [...pieces.flatMap((piece) => decoder.push(piece)), ...decoder.flush()]
  return found.map((one) =>
    one.kind === 'key' ? one.name : one.kind === 'paste' ? `paste ${one.text}` : one.kind,
  )
}

test.each([
  [['\x1b[13;', '2u'], ['shift+enter']],
  [['\x1b', '[1;5', 'C'], ['ctrl+right']],
  [['\x1b[27;2', ';13~'], ['shift+enter']],
  [
    ['\x1b[200', '~two\nlines', '\x1b[20', '1~x'],
    ['paste two\nlines', 'x'],
  ],
  [['\x1b[200~no end'], ['paste no end']],
  [['\x1b'], ['escape']],
  [['\x1b\x1b'], ['escape', 'escape']],
  [['\x1b', 'b'], ['alt+left']],
])('%j is %j', (pieces, keys) => {
  expect(readPieces(pieces)).toEqual(keys)
})

test.each(['\x1b[1', '\x1b[13;', '\x1b[<0;9', '\x1b]11;rgb:00', '\x1bP1+r'])(
  '%j without its rest presses nothing',
  (start) => {
    const decoder = openKeyDecoder()
    expect(decoder.push(start)).toEqual([])
    expect(decoder.pending()).toBe('sequence')
    expect(decoder.flush()).toEqual([])
    expect(decoder.push('a')).toMatchObject([{ name: 'a' }])
  },
)

test('a single Escape waits as a key', () => {
  const decoder = openKeyDecoder()
  decoder.push('\x1b')
  expect(decoder.pending()).toBe('escape')
})
