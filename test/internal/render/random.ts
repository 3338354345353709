// Seeded randomness for the property tests of the renderer, and strings made to break it.

export type Rng = () => number

/** Returns the generator Mulberry32: the same seed gives the same numbers in [0, 1) everywhere. */
export function random(seed: number): Rng {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export const below = (rng: Rng, n: number): number => Math.floor(rng() * n)
export const pick = <T>(rng: Rng, items: readonly T[]): T => items[below(rng, items.length)] as T

const pieces = [
  'word',
  ' ',
  '\n',
  '\t',
  '\r',
  '\r\n',
  'a b',
  '漢字',
  'かな',
  '한글',
  'é',
  'e\u0301',
  'o\u0308\u0323',
  'ä',
  'क्षि',
  'ا\u0651',
  '\u0301',
  '👨\u200d👩\u200d👧\u200d👦',
  '🇩🇪',
  '🇩',
  '👍🏽',
  '❤\ufe0f',
  '❤',
  '1\ufe0f\u20e3',
  '\ufe0f',
  '\u200d',
  '\u200c',
  '\x1b',
  '\x1b[31m',
  '\x1b[',
  '\x1b[2J',
  '\x1b]0;title\x07',
  '\x1b]8;;http://x\x1b\\',
  '\x1b]52;c;',
  '\x1bP',
  '\x1b\\',
  '\x1b_',
  '\x1b^',
  '\x1bX',
  '\x1b(B',
  '\x1bc',
  '\x9b',
  '\x9d',
  '\x90',
  '\x9c',
  '\x85',
  '\x07',
  '\x08',
  '\x00',
  '\x7f',
  '\x18',
  '\u202e',
  '\u2066',
  '\u2069',
  '\u200e',
  '\u200f',
  '\u061c',
  '\u2028',
  '\ufeff',
  '\u200b',
  '\xad',
  '\ud83d',
  '\ude00',
  '\u{e0067}',
  '\u{e007f}',
  '🏴',
  'ｗｉｄｅ',
  '…',
  '│',
  '\u1100\u1161\u11a8',
  '\u1160',
  '\uffff',
  '━',
  '¡',
  '%s',
  '\\x1b',
]

/** Pieces that matter to terminals in random order, and now and then any code unit at all. */
export function hostile(rng: Rng, most = 12): string {
  let text = ''
  for (let n = below(rng, most) + 1; n > 0; n--) {
    text += rng() < 0.1 ? String.fromCharCode(below(rng, 0x10000)) : pick(rng, pieces)
  }
  return text
}
