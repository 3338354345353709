// Escapes for invisible characters: three sets of them, over all of Unicode where that is feasible.
import { expect, test } from 'vitest'
import { bytesOfText, textOfBytes } from '../../../../internal/base/text/byte-name.ts'
import {
  escapeControls,
  escapeInvisible,
  isPassable,
  shownName,
} from '../../../../internal/base/text/invisible-chars.ts'
import { full } from '../../../support/sample.ts'

test('escapes invisible characters in a text that a user has to judge', () => {
  expect(escapeInvisible('rm -rf /\x1b[2K\rls\u202e\ud83d\u{e0041}')).toBe(
    'rm -rf /\\x1b[2K\\x0dls\\u202e\\ud83d\\u{e0041}',
  )
  expect(escapeInvisible('a\nb\tc')).toBe('a\\x0ab\\x09c')
  expect(escapeInvisible('a\nb', { lineFeed: '\n' })).toBe('a\nb')
  expect(escapeInvisible('plain é 漢 👍')).toBe('plain é 漢 👍')
})

/**
 * Returns the distance to the next code point. The short form samples ideographs, planes without characters
 * and private use.
 */
function step(code: number): number {
  if (full || code < 0x20000 || (code >= 0xe0000 && code < 0xf0000)) return 1
  return code < 0x40000 ? 13 : 251
}

/** Yields every code point, and in the short form a sample of the large planes. */
function* everyChar(): Generator<[number, string]> {
  for (let code = 0; code <= 0x10ffff; code += step(code)) yield [code, String.fromCodePoint(code)]
}

test('over all code points: escapes all invisible characters, and changes no visible one', () => {
  const blank =
    /^(?! )[\p{Default_Ignorable_Code_Point}\p{Zs}\p{Zl}\p{Zp}\p{Cf}\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Variation_Selector}]$/u
  const unseen = /[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{C}\p{Variation_Selector}]|(?! )\p{Zs}/u
  const wrong: string[] = []
  for (const [code, char] of everyChar()) {
    const shown = escapeInvisible(`a${char}b`)
    const isBlank = blank.test(char) || [0x2800, 0x16fe4, 0x1d159].includes(code)
    const isRevealed =
      shown === `a${escapeInvisible(char)}b` && /^\\(x|u|u\{)[0-9a-f]+\}?$/.test(escapeInvisible(char))
    if (isBlank !== isRevealed || (!isBlank && shown !== `a${char}b`) || unseen.test(shown)) {
      wrong.push(code.toString(16))
    }
  }
  expect(wrong).toEqual([])
})

const hidden: [string, number[]][] = [
  ['variation selectors', [0xfe00, 0xfe0f, 0xe0100, 0xe01ef, 0x180b, 0x180c, 0x180d, 0x180f]],
  ['fillers', [0x115f, 0x1160, 0x3164, 0xffa0, 0x34f, 0x17b4, 0x17b5, 0x180e, 0x2800, 0x16fe4]],
  ['blanks', [0xa0, 0x1680, 0x2000, 0x2003, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000]],
  ['music', [0x1d159, 0x1d173, 0x1d17a]],
  ['bidi and joiners', [0x61c, 0x200b, 0x200c, 0x200d, 0x200e, 0x202e, 0x2060, 0x2066, 0xfeff]],
  ['tags, private use, not assigned', [0xe0001, 0xe0041, 0xe000, 0xf0000, 0x378, 0xffff]],
]
test.each(hidden)('escapes %s', (_, codes) => {
  for (const code of codes) expect(escapeInvisible(String.fromCodePoint(code))).toContain(code.toString(16))
})

test('a tab may have a separate replacement', () => {
  expect(escapeInvisible('\ta\u00a0\t', { tab: '→   ' })).toBe('→   a\\xa0→   ')
})

test('escapes all control and format characters, line feeds and tabs by name, always with braces', () => {
  const shown = (text: string) =>
    escapeInvisible(text, { chars: 'formats', lineFeed: '\\n', tab: '\\t', braced: true })
  expect(shown('a\x1b[2Jb')).toBe('a\\x1b[2Jb')
  expect(shown('a\nb\tc\r')).toBe('a\\nb\\tc\\x0d')
  expect(shown('\u202egnp.exe')).toBe('\\u{202e}gnp.exe')
  expect(shown('\u200b\ufeff\u{e0041}\u2028')).toBe('\\u{200b}\\u{feff}\\u{e0041}\\u{2028}')
  expect(shown('grün 日本 é')).toBe('grün 日本 é')
})

test('escapes only control characters: tabs, spaces and private characters stay', () => {
  const shown = (text: string) => escapeInvisible(text, { chars: 'controls' })
  expect(shown('a\nb\tc\x9b')).toBe('a\\x0ab\tc\\x9b')
  expect(shown('\u202egnp.exe\u2028')).toBe('\\u202egnp.exe\\u2028')
  expect(shown('a\u00a0b\ue000\u{e0041}é')).toBe('a\u00a0b\ue000\u{e0041}é')
})

test('each set escapes what the smaller one does', () => {
  for (const [code, char] of everyChar()) {
    const escapes = (chars: 'controls' | 'formats' | 'unseen') => escapeInvisible(char, { chars }) !== char
    if (escapes('controls') && !escapes('formats')) expect(code.toString(16)).toBe('escaped by formats')
    if (escapes('formats') && !escapes('unseen')) expect(code.toString(16)).toBe('escaped by unseen')
  }
})

// Names as bytes, and foreign text made visible.

test('converts a text to bytes and back without a change', () => {
  for (const text of ['a/b', 'é', '😀/ü', '']) expect(textOfBytes(bytesOfText(text))).toBe(text)
  expect(bytesOfText('é')).toBe('\xc3\xa9')
  expect(isPassable(bytesOfText('é'))).toBe(true)
  expect(isPassable('\xff')).toBe(false)
})

test.each([
  ['a\nb', 'a\\x0ab'],
  ['\x1b[31m', '\\x1b[31m'],
  ['\u009b31m', '\\x9b31m'],
  ['a\u202eb', 'a\\u202eb'],
  ['a\u2028b', 'a\\u2028b'],
  ['tab\tstays', 'tab\tstays'],
  ['plain é 😀', 'plain é 😀'],
])('%j is shown as %s', (text, shown) => {
  expect(escapeControls(text)).toBe(shown)
})

test.each([
  ['a\tb', 'a\\tb'],
  [bytesOfText('é\n'), 'é\\x0a'],
  ['\xff\xfe.txt', '\\xff\\xfe.txt'],
  [`${bytesOfText('é')}\xc3`, 'é\\xc3'],
  [`${bytesOfText('\ufffd')}\xff`, '\ufffd\\xff'],
  ['\xe2\x82', '\\xe2\\x82'],
])('the name %j is shown as %s', (name, shown) => {
  expect(shownName(name)).toBe(shown)
})
