// The search for words that a reader takes for other words: letters that imitate ASCII, mixed scripts,
// combining marks, letters that run from right to left.
import { isImitated } from './imitated-words.ts'
import { asciiTwin, kindOf, scriptOf } from './similar-letters.ts'

/** A word of a line that a reader may take for another word. */
interface ImitationNote {
  word: string
  /** A sentence without the word itself, such as `looks like rm, but "р" is U+0440 (Cyrillic)`. */
  why: string
  /**
   * True if right-to-left letters are the only reason, and the word has no ASCII letters or digits. One note
   * is enough for all such words.
   */
  isDirection: boolean
}

/** A part of a line without spaces, quotes and operators of a shell. */
interface LineToken {
  text: string
  /** True if a shell would read the token as the name of a program. */
  leads: boolean
  /** True if only quotes or brackets are between the token and a neighboring word in ASCII. */
  joins: boolean
  /**
   * Scripts of the surrounding text. A script counts if one of its letters there does not look like
   * an ASCII character.
   */
  written: Set<string>
  /** The command or sentence that the token is in. */
  command: CommandWords
}

/** The text between two operators of a shell. */
interface CommandWords {
  hasAsciiWord: boolean
  /** Scripts of the words with at least two letters. */
  scripts: Set<string>
}

const plain = /^[\0-\x7f]*$/
const word = /[\p{L}\p{M}\p{N}]+/gu
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const combining = /(?:^|[^\p{M}\u200c\u200d])\p{M}+/gu
const endsInAscii = /[a-z0-9]$/i
const beginsInAscii = /^[a-z0-9]/i
const keycap = /^[0-9#*]\ufe0f?\u20e3$/
/** Scripts whose words rarely have combining marks, so that such marks are reported. */
const unmarked = new Set([
  undefined,
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Georgian',
  'Cherokee',
  'Coptic',
  'CJK',
])

/**
 * Returns a note on each word of `line` that a reader may take for another word, in order. Text in
 * ASCII has none.
 */
export function listImitations(line: string): ImitationNote[] {
  if (plain.test(line)) return []
  return splitTokens(line).flatMap((token) => {
    if (plain.test(token.text)) return []
    const reasons = describeToken(token)
    if (reasons.length === 0) return []
    const isDirection = !/\w/.test(token.text) && reasons[0] === directionOf(token.text)[0]
    return [{ word: token.text, why: reasons.join('; '), isDirection }]
  })
}

function splitTokens(line: string): LineToken[] {
  const tokens: LineToken[] = []
  let run: LineToken[] = []
  let end = 0
  let command: CommandWords = { hasAsciiWord: false, scripts: new Set() }
  for (const { 0: whole, index } of line.matchAll(/[^\s"'`;|&<>(){}$=,«»“”„]+/gu)) {
    const gap = line.slice(end, index)
    // the sign of an added line and punctuation at the end of a sentence are not part of a word
    const text = whole.replace(/^\+(?=.)|[:!?。、，：？！]+$|(?<=[^./])\.+$/gu, '') || whole
    const leads = end === 0 || /[;|&({`\n]\s*$/.test(gap)
    const before = tokens.at(-1)
    if (/[;|&<>]/.test(gap)) command = { hasAsciiWord: false, scripts: new Set() }
    addWords(text, command)
    const token = { text, leads, joins: false, written: new Set<string>(), command }
    if (before && /^["'`(){}$«»]+$/.test(gap)) {
      if (endsInAscii.test(before.text)) token.joins = true
      if (beginsInAscii.test(text)) before.joins = true
    }
    end = index + whole.length
    // the words of a run share their scripts; a run ends at an operator and at an ASCII word
    if (/[;|&<>]/.test(gap) || (plain.test(text) && /[a-z]/i.test(text))) {
      shareScripts(run)
      run = []
    }
    run.push(token)
    tokens.push(token)
  }
  shareScripts(run)
  return tokens
}

function addWords(text: string, command: CommandWords): void {
  for (const [one] of text.matchAll(word)) {
    if (plain.test(one)) command.hasAsciiWord ||= /[a-z]/i.test(one)
    else if (/[\p{L}\p{M}]{2}/u.test(one)) for (const script of scriptsOf(one)) command.scripts.add(script)
  }
}

/** Greek letters that are common in formulas in texts of any language. */
const mathematical = /[αγικνρτυχωϵ]/

/**
 * Returns a note on the ASCII letter that a single letter looks like; undefined if the letter fits its
 * surroundings, for example because its command has other words in its script.
 */
function strayOf(one: string, { command }: LineToken): string | undefined {
  const twin = asciiTwin(one, false)
  const script = scriptOf(one)
  if (twin === undefined || script === undefined || !/\p{L}/u.test(one) || mathematical.test(one))
    return undefined
  if (script === 'Latin' || script === 'CJK' || !command.hasAsciiWord || command.scripts.has(script))
    return undefined
  return `looks like ${twin}, but "${one}" is ${codeOf(one)} (${kindOf(one) ?? script})`
}

/** Sets in each token of a run the scripts in which the run is written. */
function shareScripts(run: readonly LineToken[]): void {
  const written = new Set<string>()
  for (const { text } of run) {
    const hasAscii = /[a-z]/i.test(text)
    for (const char of plain.test(text) ? '' : text.normalize('NFC')) {
      const script = scriptOf(char)
      if (script === undefined || plain.test(char)) continue
      // one sign such as ー between ASCII letters does not make a text Japanese
      if (asciiTwin(char, hasAscii && script === 'CJK') === undefined) written.add(script)
    }
  }
  for (const token of run) token.written = written
}

function describeToken(token: LineToken): string[] {
  const { text } = token
  const whole = twinOf(text, token)
  const likes = whole === undefined ? [] : [whole]
  const words = whole === undefined ? [...text.matchAll(word)].map(([one]) => one) : []
  for (const one of words) {
    const like = plain.test(one) ? undefined : (twinOf(one, token) ?? mixOf(one) ?? strayOf(one, token))
    if (like !== undefined) likes.push(words.length > 1 ? `${one} ${like}` : like)
  }
  return [...likes, ...marksOf(text), ...directionOf(text)]
}

/** Returns a note on the ASCII text that `text` looks like; undefined if it does not deceive a reader. */
function twinOf(text: string, token: LineToken): string | undefined {
  // combining marks are removed here, because they get their own note
  const chars = [...text.normalize('NFC').replace(/\p{M}/gu, '')]
  const hasAscii = /[a-z0-9]/i.test(text)
  const odd = chars.filter((char) => !plain.test(char))
  const twin = chars.map((char) => (plain.test(char) ? char : asciiTwin(char, hasAscii))).join('')
  if (odd.length === 0 || twin.length !== chars.length || odd.some((c) => !asciiTwin(c, hasAscii)))
    return undefined
  if (!isDeceptive(text, odd, twin, token)) return undefined
  const [first] = odd as [string]
  const kind = kindOf(first)
  const more = new Set(odd).size > 1 ? ', and more' : ''
  return `looks like ${twin}, but "${first}" is ${codeOf(first)}${kind ? ` (${kind})` : ''}${more}`
}

/**
 * Returns true if a reader would not expect the letters `odd`. In a text of their script, a
 * reader expects them.
 */
function isDeceptive(
  text: string,
  odd: readonly string[],
  twin: string,
  { leads, joins, written }: LineToken,
): boolean {
  // an ASCII text without letters and digits is only punctuation, which deceives no reader
  if (!/[a-z0-9]/i.test(twin)) return false
  if (odd.every((char) => /[\p{P}\p{S}\p{Lm}]/u.test(char)) && !isFullWidth(odd[0] as string))
    return /[./~]/.test(twin) || /^-+[a-z]/i.test(twin)
  if ([...text.matchAll(word)].some(([one]) => mixOf(one) !== undefined)) return true
  // a word of a living language can consist of letters that look like ASCII letters: kız, сор, ΝΕΟ
  const foreign = [...text.normalize('NFC').matchAll(word)]
    .map(([one]) => one)
    .filter((one) => !plain.test(one))
  const areLetters = odd.every((char) => /\p{L}/u.test(char))
  if (!joins && areLetters && foreign.every(isOneLanguage))
    return foreign.some((one) =>
      isImitated(Array.from(one, (char) => asciiTwin(char, true) ?? char).join('')),
    )
  if (leads && /^[a-z]{2,}$/.test(twin)) return true
  // full width forms and mathematical letters belong to texts of Chinese, Japanese and Korean
  return odd.some(
    (char) => !written.has(scriptOf(char) ?? 'CJK') && !(isFullWidth(char) && written.has('CJK')),
  )
}

/** Cyrillic letters that few languages have, and pairs of letters that no single language has. */
const rare = /[ԁԛԝѵԍ]|[ѕ][һӏі]|[һ][ѕӏј]|[ӏ][ѕһіј]|[ј][һӏі]|[і][ѕӏј]/u

/**
 * Returns true if a word has only Cyrillic letters, only Greek letters, or only ASCII letters and ı, and no
 * rare ones. Such a word deceives only if it looks like a name that attackers imitate.
 */
function isOneLanguage(text: string): boolean {
  const letters = text.replace(/\p{N}/gu, '')
  const few = [...new Set(letters.replace(/[^ѕһӏіј]/gu, ''))].sort().join('')
  if (/^\p{sc=Cyrillic}*$/u.test(letters))
    return ![letters, few, [...few].reverse().join('')].some((one) => rare.test(one))
  return /^\p{sc=Greek}*$/u.test(letters) ? !/[ϲϳϹͿ]/u.test(letters) : /^[a-zA-Zı]*$/.test(letters)
}

const isFullWidth = (char: string) => /[\uff01-\uff5e]/.test(char)

/**
 * Returns a note on the scripts that a word mixes, which no language does; undefined for a word of one
 * script. Chinese, Japanese and Korean letters do not count.
 */
function mixOf(text: string): string | undefined {
  const scripts = scriptsOf(text)
  return scripts.size > 1 ? `mixes letters of ${[...scripts].join(' and ')}: ${writeOut(text)}` : undefined
}

function scriptsOf(text: string): Set<string> {
  const scripts = new Set<string>()
  for (const char of text) {
    const script = scriptOf(char)
    if (script !== undefined && script !== 'CJK') scripts.add(script)
  }
  return scripts
}

/**
 * Returns a note about combining marks without a letter, or after letters whose script rarely has them; else
 * an empty list.
 */
function marksOf(text: string): string[] {
  const marks = new Set<string>()
  // accents are composed first, because some file systems store é as two characters
  for (const { 0: cluster } of text.normalize('NFC').matchAll(combining)) {
    const [base = '', ...rest] = cluster
    const starts = /\p{M}/u.test(base)
    if (keycap.test(cluster) || (!starts && !unmarked.has(scriptOf(base)))) continue
    for (const mark of starts ? [base, ...rest] : rest) marks.add(codeOf(mark))
  }
  if (marks.size === 0) return []
  const markList = [...marks].slice(0, 4).join(', ')
  return [`has combining marks: ${markList}${marks.size > 4 ? ' and more' : ''}`]
}

const directionOf = (text: string): string[] =>
  rightToLeft.test(text) ? [`has right-to-left letters, in the order ${writeOut(text)}`] : []

const codeOf = (char: string) =>
  `U+${(char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`

const maxChars = 80

/**
 * Returns the first 80 UTF-16 units of the text, and `…` if there are more, with an escape for each
 * character outside ASCII.
 */
function writeOut(text: string): string {
  const out = Array.from(text.slice(0, maxChars), (char) =>
    plain.test(char) ? char : `\\u{${(char.codePointAt(0) as number).toString(16)}}`,
  )
  return out.join('') + (text.length > maxChars ? '…' : '')
}
