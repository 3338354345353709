// What the terminal filter lets through: a table of single cases and 4,000 generated strings.
import { expect, test } from 'vitest'
import { escapeInvisible } from '../../../../internal/base/text/invisible-chars.ts'
import { sanitizeText } from '../../../../internal/render/text/terminal-filter.ts'
import { hostile, random } from '../random.ts'

const cases: [string, string, string][] = [
  ['plain text', 'a b ~', 'a b ~'],
  ['colour', 'a\x1b[31mb\x1b[0mc', 'abc'],
  ['colour, eight bit form', 'a\x9b31mb', 'ab'],
  ['unterminated CSI', 'a\x1b[31', 'a'],
  ['title with BEL', 'a\x1b]0;evil\x07b', 'ab'],
  ['title with ST', 'a\x1b]0;evil\x1b\\b', 'ab'],
  ['title, eight bit form', 'a\x9d0;evil\x9cb', 'ab'],
  ['unterminated title swallows the rest', 'a\x1b]0;evil b\nc', 'a'],
  ['link', '\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\', 'text'],
  ['DCS, APC, PM, SOS', 'a\x1bPq#0\x1b\\b\x1b_x\x1b\\c\x1b^y\x1b\\d\x1bXz\x1b\\e', 'abcde'],
  ['BEL does not end a DCS', 'a\x1bPq\x07b\x1b\\c', 'ac'],
  ['character set and reset', 'a\x1b(Bb\x1bcd', 'abd'],
  ['escape at the end', 'a\x1b', 'a'],
  ['sequence inside a sequence', '\x1b\x1b[3\x1b[1m1mx', '1mx'],
  ['C0, DEL, C1', 'a\x00\x08\x0b\x0c\x1f\x7f\x80\x9fb', 'a'],
  ['single C1', 'a\x85\x84b', 'ab'],
  ['tab', 'a\tb', 'a  b'],
  ['line ends', 'a\r\nb\rc\nd\u2028e', 'a b c d e'],
  ['bidirectional controls', 'a\u202eb\u2066c\u200ed\u200fe\u061cf', 'abcdef'],
  ['invisible characters', 'a\u200bb\u2060c\ufeffd\xade', 'abcde'],
  ['lone surrogates', 'a\ud83db\ude00', 'a\ufffdb\ufffd'],
  ['surrogates do not join over a removed control', '\ud83d\0\ude00', '\ufffd\ufffd'],
  ['NFC', 'e\u0301', 'é'],
  ['NFC after what stood between is gone', 'e\u200d\u0301', 'é'],
  ['joiner between letters', 'a\u200db', 'ab'],
  ['joiner in a family', '👨\u200d👩\u200d👧', '👨\u200d👩\u200d👧'],
  ['joiner at the end of an emoji', '👨\u200d', '👨'],
  ['selector after a letter', 'a\ufe0fb', 'ab'],
  ['selector after a digit alone', '1\ufe0f', '1'],
  ['keycap', '1\ufe0f\u20e3', '1\ufe0f\u20e3'],
  ['selector after a heart', '❤\ufe0f', '❤\ufe0f'],
  ['flag', '🇩🇪', '🇩🇪'],
  ['tags outside an emoji', 'a\u{e0041}b', 'ab'],
  ['flag made of tags', '🏴\u{e0067}\u{e0062}\u{e007f}', '🏴\u{e0067}\u{e0062}\u{e007f}'],
  ['non-joiner is kept', 'می\u200cخواهم', 'می\u200cخواهم'],
]

test.each(cases)('%s', (_, text, expected) => {
  expect(sanitizeText(text)).toBe(expected)
})

test('lines are kept on request, all as LF', () => {
  expect(sanitizeText('a\r\nb\rc\nd', { keepLines: true })).toBe('a\nb\nc\nd')
})

test('4,000 generated strings: nothing left that steers a terminal, and cleaning again changes nothing', () => {
  const rng = random(20260801)
  for (let i = 0; i < 4000; i++) {
    const text = hostile(rng)
    for (const keepLines of [true, false]) {
      const out = sanitizeText(text, { keepLines })
      const left = keepLines ? out.replaceAll('\n', '') : out
      expect(left, JSON.stringify(text)).not.toMatch(
        /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\p{Cs}]/u,
      )
      expect(sanitizeText(out, { keepLines }), JSON.stringify(text)).toBe(out)
      expect(out.normalize('NFC')).toBe(out)
    }
  }
})

test('eight million characters of unterminated sequences are read in one pass', () => {
  expect(sanitizeText('\x1b]'.repeat(4_000_000))).toBe('')
  expect(sanitizeText('\x1b[1'.repeat(2_000_000))).toBe('')
})

test('2,000 generated strings: what is revealed is clean already', () => {
  const rng = random(20260803)
  for (let i = 0; i < 2000; i++) {
    const text = escapeInvisible(hostile(rng))
    expect(text).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u)
  }
})
