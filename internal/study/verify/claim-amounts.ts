// Amounts in claims and quotes, which are compared by value and unit: `10 * 60`, `64 << 20`, "ten",
// "half a second".

import { once } from '../../base/once.ts'

export interface ClaimAmount {
  /** The number without its unit: 10 in "10 minutes", 600 in `10 * 60`. */
  value: number
  /** Quantity that the unit measures. Default: the amount is a plain number. */
  of?: UnitDimension
  /**
   * Values in seconds, bytes or parts of one, or the plain number. There are two if the unit has two
   * meanings, as KB has.
   */
  base: readonly number[]
  /** True for a number in words without a unit, because it may only count things that the source lists. */
  isLoose: boolean
}

type UnitDimension = 'time' | 'bytes' | 'share'

const k = 1024
const unitTable: readonly [names: string, of: UnitDimension, ...sizes: number[]][] = [
  ['ns nano nanos nanosec nanosecond nanoseconds', 'time', 1e-9],
  ['us µs micro micros microsec microsecond microseconds', 'time', 1e-6],
  ['ms msec msecs milli millis millisec millisecond milliseconds', 'time', 1e-3],
  ['s sec secs second seconds', 'time', 1],
  ['m min mins minute minutes', 'time', 60],
  ['h hr hrs hour hours', 'time', 3600],
  ['d day days', 'time', 86_400],
  ['w week weeks', 'time', 604_800],
  ['b byte bytes', 'bytes', 1],
  ['kb k kilobyte kilobytes', 'bytes', k, 1e3],
  ['kib', 'bytes', k],
  ['mb megabyte megabytes', 'bytes', k ** 2, 1e6],
  ['mib', 'bytes', k ** 2],
  ['gb g gigabyte gigabytes', 'bytes', k ** 3, 1e9],
  ['gib', 'bytes', k ** 3],
  ['tb terabyte terabytes', 'bytes', k ** 4, 1e12],
  ['tib', 'bytes', k ** 4],
  ['% percent', 'share', 0.01],
]
interface AmountUnit {
  of: UnitDimension
  sizes: readonly number[]
}
const units = once(
  () =>
    new Map(
      unitTable.flatMap(([names, of, ...sizes]) =>
        names.split(' ').map((name): [string, AmountUnit] => [name, { of, sizes }]),
      ),
    ),
)

const numberWords = once(() => {
  const small =
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'
  const words = new Map(small.split(' ').map((word, value) => [word, value]))
  const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
  for (const [i, word] of tens.entries()) words.set(word, (i + 2) * 10)
  for (const [word, value] of [
    ['twice', 2],
    ['hundred', 100],
    ['thousand', 1000],
    ['million', 1e6],
    ['dozen', 12],
  ] as const)
    words.set(word, value)
  return words
})

const digits = [
  String.raw`0[xX][\da-fA-F_]+`,
  '0o[0-7]+',
  String.raw`\d+(?:[,_]\d{3})+(?!\d)(?:\.\d+)?`,
  String.raw`\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`,
].join('|')
/** Matches a letter, digit or underscore. Directly before a number, it makes the number part of a name. */
const letter = String.raw`[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{N}_]`
/** Matches a number, further numbers by which it is multiplied or shifted, and the word after it. */
const written = once(
  () =>
    new RegExp(
      `(?<!${letter}|${letter}[-./])((?:${digits})(?:\\s*(?:\\*\\*?|<<)\\s*(?:${digits}))*)` +
        String.raw`(?!\.\d)(?:\s*\*?\s*(?:[\p{L}]\w*\.)*|[\s-]?|\.)(%|\p{L}+)?`,
      'gu',
    ),
)
const inWords = once(() => {
  const word = `(?:${[...numberWords().keys()].join('|')})`
  return new RegExp(
    String.raw`\b(half (?:an?|the)|a quarter of an?|an?|${word}(?:[ -]${word})*)` +
      String.raw`( and a half)?(?:[ -](\p{L}+))?(?!\p{L})`,
    'giu',
  )
})
const nameBefore = /([\p{L}\d_]+)\s*(?:[=:(]|:=|=>|\bis\b)+\s*["'`]?$/u

/**
 * Returns the amounts in a text. `isQuote`: parts that may be an amount are read too, such as "a minute", and
 * the 4 in `4xx`.
 */
export function listAmounts(text: string, isQuote = false): ClaimAmount[] {
  const out: ClaimAmount[] = []
  for (const match of text.matchAll(written())) {
    const [, number = '', after] = match
    const before = nameBefore.exec(text.slice(Math.max(0, match.index - 60), match.index))?.[1]
    const unit = unitOf(after) ?? (before === undefined ? undefined : unitOf(before, true))
    // Letters directly after a number make both together a name, as in `4xx`.
    const isName = after !== undefined && !unit && /\d\p{sc=Latn}/u.test(match[0])
    if (isName && !isQuote) continue
    for (const value of valuesOf(number, isQuote)) out.push(amountOf(value, unit))
  }
  for (const match of text.matchAll(inWords())) {
    const [, first = '', half, noun = ''] = match
    const unit = unitOf(noun)
    const value = valueInWords(first.toLowerCase()) + (half ? 0.5 : 0)
    const isArticle = /^an?$/i.test(first) && !half
    if ((isArticle || /^half|^a quarter/i.test(first)) && (!unit || (isArticle && !isQuote))) continue
    if (!isQuote && !unit && value < 2) continue
    out.push({ ...amountOf(value, unit), isLoose: unit === undefined })
  }
  return out
}

const amountOf = (value: number, unit: AmountUnit | undefined): ClaimAmount => ({
  value,
  of: unit?.of,
  base: unit ? unit.sizes.map((size) => size * value) : [value],
  isLoose: false,
})

/**
 * Returns the unit that a word means; undefined for any other word. With `isEnd`, returns the unit at the end
 * of a name: `timeout_ms`.
 */
function unitOf(word: string | undefined, isEnd = false): AmountUnit | undefined {
  if (word === undefined) return undefined
  if (!isEnd) return units().get(word.toLowerCase())
  const last =
    word
      .split(/_|(?<=\p{Ll})(?=\p{Lu})/u)
      .at(-1)
      ?.toLowerCase() ?? ''
  // At the end of a name, a single letter does not count as a unit.
  return last.length > 1 ? units().get(last) : undefined
}

function valueInWords(words: string): number {
  if (words.startsWith('half')) return 0.5
  if (words.startsWith('a quarter')) return 0.25
  let sum = 0
  for (const word of words.split(/[ -]/)) {
    const value = numberWords().get(word) ?? 1
    sum = value >= 100 ? Math.max(1, sum) * value : sum + value
  }
  return sum
}

/**
 * Returns the value of an expression. For a quote, also returns its single numbers, and the octal reading of
 * numbers with a leading zero.
 */
function valuesOf(text: string, isQuote: boolean): number[] {
  const parts = text.split(/\s*(\*\*?|<<)\s*/)
  let value = parseNumber(parts[0] as string)
  for (let i = 1; i < parts.length; i += 2) {
    const next = parseNumber(parts[i + 1] as string)
    value = parts[i] === '<<' ? value * 2 ** next : parts[i] === '**' ? value ** next : value * next
  }
  if (!isQuote) return [value]
  const single = parts.length > 1 ? parts.filter((_, i) => i % 2 === 0).map(parseNumber) : []
  const octal = /^0o?([0-7]+)$/.exec(text)?.[1]
  return [value, ...single, ...(octal ? [Number(octal), Number.parseInt(octal, 8)] : [])]
}

const parseNumber = (text: string): number => Number(text.replace(/[,_]/g, ''))

const scales: Readonly<Record<UnitDimension, readonly number[]>> = {
  time: [1, 1e-3, 1e-6, 1e-9, 60, 3600, 86_400],
  bytes: [1, k, k ** 2, k ** 3, 1e3, 1e6, 1e9],
  share: [1, 0.01],
}

/**
 * Returns true if two amounts are equal. A number without a unit is compared in each unit of the kind that
 * the other amount has.
 */
export function isSameAmount(a: ClaimAmount, b: ClaimAmount): boolean {
  if (a.of !== undefined && b.of !== undefined)
    return a.of === b.of && a.base.some((one) => b.base.some((other) => isNear(one, other)))
  if (isNear(a.value, b.value)) return true
  const [unit, plain] = a.of === undefined ? [b, a] : [a, b]
  if (unit.of === undefined) return false
  return scales[unit.of].some((scale) => unit.base.some((base) => isNear(base, plain.value * scale)))
}

const isNear = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1e-9 * Math.max(1e-12, Math.abs(a), Math.abs(b))
