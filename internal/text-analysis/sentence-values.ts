// Values in a sentence that can be compared with those of another sentence: dates, times of day, money,
// shares, and numbers with a unit or with a name before them.
import { once } from '../base/once.ts'
import { extractTerms, foldText } from './terms.ts'

interface SentenceValues {
  /** Values by their kind, their unit or the name before them. */
  measures: ReadonlyMap<string, ReadonlySet<string>>
  /** Numbers that tell things of one kind apart, such as `version 2` in "Version 2 lasts 30 days". */
  labels: ReadonlySet<string>
  /** The sentence without its dates, times and money. */
  rest: string
}

const unitSizes: readonly [dimension: string, names: string, size: number][] = [
  ['duration', 'ms millisecond', 0.001],
  ['duration', 's sec second', 1],
  ['duration', 'min minute', 60],
  ['duration', 'h hour', 3600],
  ['duration', 'd day', 86_400],
  ['duration', 'week', 604_800],
  ['size', 'byte b', 1],
  ['size', 'kb kib', 1024],
  ['size', 'mb mib', 1024 ** 2],
  ['size', 'gb gib', 1024 ** 3],
  ['share', '% percent', 1],
]
const units = once(
  () =>
    new Map(
      unitSizes.flatMap(([dimension, names, size]) =>
        names.split(' ').map((word, _, all) => [word, { dimension, unit: all[0] as string, size }]),
      ),
    ),
)

/** Returns true for a term that is the name of a unit. */
export const isUnitName = (term: string): boolean => units().has(term)

/**
 * Returns the share of common terms from which on different values of a kind contradict each other. It is
 * large for kinds that sentences about different things have in common.
 */
export function leastSimilarity(kind: string): number {
  if (kind === 'duration' || kind === 'size') return 0.75
  return ['date', 'time', 'share', 'usd', 'eur', 'gbp'].includes(kind) ? 0.6 : 0.3
}

/**
 * Returns true if two values of one kind are equal. A date or a version with fewer parts is equal to one that
 * begins with the same parts.
 */
export function areEqualValues(kind: string, a: string, b: string): boolean {
  if (kind !== 'date' && kind !== 'version') return a === b
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return long === short || long.startsWith(`${short}${kind === 'date' ? '-' : '.'}`)
}

/** Reads the values of a sentence. A number in front of other values is a label, and is not compared. */
export function readSentenceValues(sentence: string): SentenceValues {
  const common = new Map<string, Set<string>>()
  const rest = maskCommonKinds(sentence.replace(/\bv(?=\d)/giu, 'version '), common)
  const labels = new Set<string>()
  const unlabelled = rest.replace(label(), (whole: string, ...[numbered, n, noun, m]: string[]) => {
    labels.add(`${foldText(numbered ?? noun ?? '')} ${n ?? m}`)
    return ' '.repeat(whole.length)
  })
  const measures = addNumbers(
    unlabelled,
    new Map([...common].map(([kind, values]) => [kind, new Set(values)])),
  )
  if (labels.size === 0 || measures.size > 0) return { measures, labels, rest }
  return { measures: addNumbers(rest, common), labels: new Set(), rest }
}

/**
 * Matches the number of a thing: after a word for numbered things, or after the singular noun with which the
 * sentence begins. A plural after a whole number is what it counts.
 */
const label = once(() => {
  const unit = String.raw`\s*%|\s+(?:${[...units().keys()].join('|')})s?\b`
  const counted = String.raw`\s+(?!(?:is|was|has|does)\b)\p{Ll}+s\b`
  return new RegExp(
    String.raw`(?<![\p{L}\p{N}_-])(?:` +
      '(version|release|task|step|phase|stage|chapter|section|figure|table|part)' +
      String.raw`\s+#?(\d+(?:\.\d+)*)(?!\.?\d|\p{L}|\s*%)|` +
      String.raw`(?<=^\W*(?:(?:the|in|with|on|for)\s+)?)(?!\p{L}*[^iu\P{L}]s\s)(\p{L}[\p{L}-]+)\s+` +
      String.raw`(\d+(?:\.\d+)+|\d+(?!${counted}))(?!\.?\d|[\p{L}%]|${unit}))`,
    'iu',
  )
})

/** Returns the text with dates, times of day and money replaced by spaces, and adds them to `measures`. */
function maskCommonKinds(text: string, measures: Map<string, Set<string>>): string {
  let rest = text.replace(/\bper cent\b/gi, 'percent')
  const mask = (at: number, length: number) => {
    rest = rest.slice(0, at) + ' '.repeat(length) + rest.slice(at + length)
  }
  for (const { iso, at, length } of listDates(rest)) {
    // four digits alone are a year only after a word that precedes a time
    if (iso.length === 4 && !/\b(?:in|since|until|by|before|after|from)\s+$/i.test(rest.slice(0, at)))
      continue
    addValue(measures, 'date', iso)
    mask(at, length)
  }
  for (const match of rest.matchAll(timeOfDay)) {
    addValue(measures, 'time', toMinutes(match))
    mask(match.index, match[0].length)
  }
  for (const match of rest.matchAll(money)) {
    const [whole, sign, first, firstScale, second, secondScale, name] = match
    const currency = currencies[(sign ?? name ?? '').toLowerCase().replace(/s$/, '')]
    if (currency === undefined) continue
    const scale = scales[(firstScale ?? secondScale ?? '').toLowerCase()] ?? 1
    addValue(measures, currency, String(Number((first ?? second ?? '').replaceAll(',', '')) * scale))
    mask(match.index, whole.length)
  }
  return rest
}

const timeOfDay =
  /(?<![\w:.])(\d{1,2})(?::([0-5]\d)(?::[0-5]\d)?(?:\s*([ap])\.?m\b)?|\s*([ap])\.?m\b)(?![\d:])/giu

/** Returns the minutes since midnight, as digits. */
function toMinutes([, hours = '', minutes = '0', ...halves]: readonly (string | undefined)[]): string {
  const half = (halves[0] ?? halves[1])?.toLowerCase()
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'p' ? 12 : 0)
  return String(hour * 60 + Number(minutes))
}

const currencies: Readonly<Record<string, string>> = {
  $: 'usd',
  us$: 'usd',
  usd: 'usd',
  dollar: 'usd',
  '€': 'eur',
  eur: 'eur',
  euro: 'eur',
  '£': 'gbp',
  gbp: 'gbp',
  pound: 'gbp',
}
const scales: Readonly<Record<string, number>> = { k: 1e3, thousand: 1e3, m: 1e6, million: 1e6, billion: 1e9 }
const money = new RegExp(
  String.raw`(US\$|[$€£])\s?(\d[\d,]*(?:\.\d+)?)(?:\s?(k|m|thousand|million|billion)\b)?|` +
    String.raw`(?<![\p{L}\p{N}_.])(\d[\d,]*(?:\.\d+)?)\s?(k|m|thousand|million|billion)?\s?` +
    String.raw`(USD|EUR|GBP|dollars?|euros?|pounds?|€)(?!\p{L})`,
  'giu',
)

const number = /(?<![\p{L}\p{N}_.])(\d+(?:[.,_]\d+)*)\s*(%|\p{L}+)?/gu
const keyBefore = /([\p{L}_][\p{L}\p{N}_.-]*)["'`]?\s*(?:=|:|\bis\b)?\s*$/u

/** Adds the numbers of a text to `measures` by their unit or the name before them, and returns `measures`. */
function addNumbers(text: string, measures: Map<string, Set<string>>): Map<string, Set<string>> {
  for (const match of text.matchAll(number)) {
    const [, digits = '', word] = match
    const lower = word?.toLowerCase().replace(/s$/, '') ?? ''
    const value = digits.replace(/[,_](?=\d{3}\b)/g, '')
    const known = units().get(word?.toLowerCase() ?? '') ?? units().get(lower)
    if (known) {
      if (known.dimension !== 'share') addValue(measures, known.unit, value)
      addValue(measures, known.dimension, String(Number((Number(value) * known.size).toPrecision(12))))
      continue
    }
    const key = keyBefore.exec(text.slice(0, match.index))?.[1]
    // The word after a number is its unit if it is long enough and a search term. Otherwise the name before
    // the number is used instead.
    const unit = lower.length > 2 && extractTerms(lower).length > 0 ? lower : foldText(key ?? '')
    if (unit !== '') addValue(measures, unit === 'release' ? 'version' : unit, value)
  }
  return measures
}

function addValue(measures: Map<string, Set<string>>, kind: string, value: string): void {
  measures.set(kind, (measures.get(kind) ?? new Set()).add(value))
}

interface WrittenDate {
  /** The date in ISO form: `2021-03-04`, `2021-03` or `2021`. */
  iso: string
  /** Index of the date in the text. */
  at: number
  length: number
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const month =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|' +
  'oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
const day = '(\\d{1,2})(?:st|nd|rd|th)?'
const year = '((?:1[5-9]|20)\\d{2})'

/** Patterns of dates, longer forms first. Each has the order of year, month and day in its groups. */
const forms = once((): readonly (readonly [RegExp, string])[] => [
  [new RegExp(`\\b${year}-(\\d{2})-(\\d{2})\\b`, 'g'), 'ymd'],
  [new RegExp(`\\b${day}\\s+(?:of\\s+)?${month},?\\s+${year}\\b`, 'gi'), 'dMy'],
  [new RegExp(`\\b${month}\\s+${day},?\\s+${year}\\b`, 'gi'), 'Mdy'],
  [new RegExp(`\\b(\\d{1,2})\\.\\s?(\\d{1,2})\\.\\s?${year}\\b`, 'g'), 'dmy'],
  [new RegExp(`\\b${year}-(\\d{2})\\b`, 'g'), 'ym'],
  [new RegExp(`\\b${month},?\\s+${year}\\b`, 'gi'), 'My'],
  [new RegExp(`(?<![\\d.,])\\b${year}\\b(?![.,]?\\d)`, 'g'), 'y'],
])

/** Returns the dates of a text in their order. A part of a longer date is not another date. */
export function listDates(text: string): WrittenDate[] {
  const out: WrittenDate[] = []
  for (const [form, order] of forms()) {
    for (const match of text.matchAll(form)) {
      const at = match.index
      const length = match[0].length
      if (out.some((one) => at < one.at + one.length && one.at < at + length)) continue
      const iso = toIso(match.slice(1), order)
      if (iso !== undefined) out.push({ iso, at, length })
    }
  }
  return out.sort((a, b) => a.at - b.at)
}

function toIso(groups: readonly string[], order: string): string | undefined {
  const part = (letter: string) => groups[order.indexOf(letter)]
  const named = part('M')?.slice(0, 3).toLowerCase()
  const monthNumber = named === undefined ? Number(part('m')) : months.indexOf(named) + 1
  const dayNumber = Number(part('d'))
  const parts = [part('y') ?? '']
  if (/m/i.test(order)) {
    if (monthNumber < 1 || monthNumber > 12) return undefined
    parts.push(String(monthNumber).padStart(2, '0'))
  }
  if (order.includes('d')) {
    if (dayNumber < 1 || dayNumber > 31) return undefined
    parts.push(String(dayNumber).padStart(2, '0'))
  }
  return parts.join('-')
}
