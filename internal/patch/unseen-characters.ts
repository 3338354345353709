// Comparison and names of characters that are invisible or look like others.

import { asciiTwin } from '../base/text/similar-letters.ts'

const spaces = '\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000'
const nothing = '\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff'
const unseenPattern = new RegExp(`[${spaces}${nothing}]`, 'u')

/** Names of the most frequent invisible characters; others are shown by their number. */
const names: Readonly<Record<string, string>> = {
  '\u00a0': 'no-break space',
  '\u00ad': 'soft hyphen',
  '\u200b': 'zero width space',
  '\u200c': 'zero width non-joiner',
  '\u200d': 'zero width joiner',
  '\u2028': 'line separator',
  '\u2029': 'paragraph separator',
  '\u202f': 'narrow no-break space',
  '\u2060': 'word joiner',
  '\u3000': 'ideographic space',
  '\ufeff': 'zero width no-break space',
}

/**
 * Matches a character with its following marks, including Hangul vowels and final consonants, and voice marks
 * of half-width kana.
 */
const clusters = /[^\p{M}][\p{M}\u1160-\u11ff\uff9e\uff9f]*|\p{M}+/gsu

/** Text that `foldUnseen` returns, with the positions in the original text. */
interface FoldedText {
  text: string
  /**
   * For each UTF-16 unit of `text`, the index in the original at which its letter with marks starts; then the
   * length of the original.
   */
  from: number[]
}

/**
 * Returns the text as it looks: compatibility forms (full width, ligatures) become plain letters, decomposed
 * letters are composed, each non-ASCII space becomes a plain space, and invisible characters are removed.
 */
export function foldUnseen(text: string): FoldedText {
  let out = ''
  const from: number[] = []
  // A letter is folded together with its marks, because both may be one character in the other text.
  for (const { 0: cluster, index } of text.matchAll(clusters)) {
    const folded = foldCluster(cluster)
    for (let i = 0; i < folded.length; i++) from.push(index)
    out += folded
  }
  from.push(text.length)
  return { text: out, from }
}

function foldCluster(cluster: string): string {
  if (cluster.length === 1 && cluster < '\u007f') return cluster
  const plain = cluster.replace(unseenAll, (char) => (isSpace(char) ? ' ' : ''))
  return plain.normalize('NFKC').replace(unseenAll, (char) => (isSpace(char) ? ' ' : ''))
}

const unseenAll = new RegExp(unseenPattern.source, 'gu')
const isSpace = (char: string) => new RegExp(`[${spaces}]`, 'u').test(char)

/** Groups of characters that are written in place of one another; each group begins with its ASCII form. */
export const typographicKin = ["'‘’‚‛′`", '"“”„‟″«»', '-‐‑‒–—―−']

/**
 * Folds like `foldUnseen`, and turns quotes, dashes and letters of other scripts into the ASCII characters
 * that they look like.
 */
export function foldLikeness(text: string): string {
  return foldUnseen(text)
    .text.replaceAll('…', '...')
    .replace(/[^\x00-\x7f]/gu, (char) => {
      const group = typographicKin.find((chars) => chars.includes(char))
      return group?.[0] ?? asciiTwin(char, true) ?? char
    })
    .replaceAll('`', "'")
}

/**
 * Describes the first difference of two lines that look alike, or returns undefined if they look different
 * or are equal.
 */
export function describeUnseen(wantedText: string, foundText: string): string | undefined {
  if (wantedText === foundText || foldLikeness(wantedText) !== foldLikeness(foundText)) return undefined
  let at = 0
  while (at < wantedText.length && wantedText[at] === foundText[at]) at++
  const a = nameAt(wantedText, at)
  const b = nameAt(foundText, at)
  return `they look alike but differ in column ${at + 1}: wanted ${a}, found ${b}`
}

function nameAt(text: string, at: number): string {
  const code = text.codePointAt(at)
  if (code === undefined) return 'the end of the line'
  const char = String.fromCodePoint(code)
  const number = numberOf(char)
  // A letter and its marks are named together, because both may be one character in the other text.
  const marks = /^\p{M}+/u.exec(text.slice(at + char.length))?.[0]
  if (marks && /\p{L}/u.test(char)) return `${[char, ...marks].map(numberOf).join(' ')} (${char}${marks})`
  if (names[char]) return `${number} (${names[char]})`
  if (char === ' ') return `${number} (space)`
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(char) ? `${number} (${char})` : number
}

const numberOf = (char: string) =>
  `U+${(char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`

/**
 * Returns a note on the first invisible character or non-ASCII space in `lines` that is missing in
 * `wantedText`, or undefined. `first` is the number of the first line.
 */
export function findUnseen(lines: readonly string[], first: number, wantedText: string): string | undefined {
  for (const [i, line] of lines.entries())
    for (const { 0: char, index } of line.matchAll(unseenAll))
      if (!wantedText.includes(char)) return `line ${first + i} has ${nameAt(char, 0)} in column ${index + 1}`
  return undefined
}

/** Returns the text with each invisible character and non-ASCII space as an escape such as \u{200b}. */
export function showUnseen(text: string): string {
  return text.replace(unseenAll, (char) => `\\u{${(char.codePointAt(0) as number).toString(16)}}`)
}
