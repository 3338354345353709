// The parts of a question, the kind of value that each part asks for, and the positions at which a text
// contains such a value.
import { once } from '../../base/once.ts'
import { listForeignNumerals } from '../../base/text/scripts/foreign-words.ts'
import { asksMeasure, wantedAmount } from '../languages/wanted-answer.ts'
import { listTellingParts, tellingWeight } from '../rank/parts.ts'
import type { ParsedQuestion } from '../words.ts'

/**
 * `count` is a number of things, `duration` a time or a length, `number` any other number, `value` the value
 * of a setting, `items` at least two things. The other kinds are called like the thing itself.
 */
export type AskedKind =
  | 'count'
  | 'duration'
  | 'number'
  | 'value'
  | 'error'
  | 'signal'
  | 'version'
  | 'items'
  | 'place'

/** Matches words that state an amount or a limit: `three`, `twice`, `daily`, `never`, `no limit`. */
const inWords = once(
  () =>
    new RegExp(
      [
        'zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve',
        'twenty|thirty|sixty|hundred|thousand',
        String.raw`once|twice|never|always|forever|unlimited|unbounded|infinit\w*|eternal|indefinitely|half`,
        '(?:(?:no|not) more than|at (?:most|least)|only|exactly|up to) one',
        '(?:an?|one|per|each|every|the next) (?:second|minute|hour|day|night|week|month|quarter|year)',
        String.raw`(?:no|without) (?:\w+ )?(?:limit|timeout|maximum|bound)|hourly|daily|weekly|monthly`,
        'zwei|drei|vier|fünf|sechs|zehn|zwölf|nie|immer|deux|trois|quatre|cinq|dix|jamais',
        'dos|tres|cuatro|cinco|diez|nunca',
      ]
        .map((words) => `\\b(?:${words})\\b`)
        .join('|'),
      'giu',
    ),
)
/**
 * Matches numbers in digits. A 0 or 1 that is assigned is excluded, because it is a switch and not a count.
 */
const inDigits = /(?<![\w.])(?!(?<==)[01]\b)\d+/gu

/** Matches words that ask for a number. A number near such a word in a text is not an answer. */
export const asking =
  /^(?:number|count|amount|many|max|min|larg|small|high|low|most|least|anzahl|nombre|numer)/i

const valueWords =
  'values?|defaults?|limits?|maximum|minimum|timeouts?|intervals?|sizes?|thresholds?|durations?|delays?'
const itemWords =
  'states|statuses|kinds|types|methods|modes|formats|levels|backends|providers|verbs|commands|events|' +
  'options|values|fields|phases|stages|steps'

/** Pattern for up to three words between the question word and the noun that names the kind of value. */
const between = String.raw`(?:[\w-]+ ){0,3}?`

const askedFor = once((): readonly [AskedKind, RegExp][] => [
  [
    'number',
    new RegExp(String.raw`\b(?:which|what) ${between}(?:ports?|numbers?(?! of)|exit (?:code|status))\b`, 'i'),
  ],
  ['signal', new RegExp(String.raw`\b(?:which|what) ${between}signals?\b`, 'i')],
  [
    'error',
    new RegExp(String.raw`\b(?:which|what) ${between}(?:errors?|exceptions?|errno|status(?: code)?)\b`, 'i'),
  ],
  ['version', new RegExp(String.raw`\b(?:which|what|since which) ${between}versions?\b`, 'i')],
  [
    'items',
    new RegExp(String.raw`\b(?:which|what)(?: are)?(?: the)? (?:[\w-]+ ){0,2}?(?:${itemWords})\b`, 'i'),
  ],
  [
    'value',
    new RegExp(
      String.raw`\b(?:which|what)(?: is| are|'s)?(?: the| its)? (?!do(?:es)?\b|happens\b)` +
        String.raw`${between}(?:${valueWords})\b`,
      'i',
    ),
  ],
  [
    'place',
    new RegExp(
      String.raw`\bwhere\b|\b(?:which|what) (?:[\w-]+ )?` +
        String.raw`(?:files?|functions?|modules?|methods?|class(?:es)?|folder|director(?:y|ies))\b`,
      'i',
    ),
  ],
])

/** Matches a question for several things of any kind, as in "which units can be chosen". */
const asksSeveral = new RegExp(
  String.raw`\bwhich (?:\p{L}[\p{L}\d-]* ){0,2}?\p{L}[\p{L}\d-]*[^\Wsui]s ` +
    String.raw`(?:are|were|can|may|must|should|do|have|exist)\b`,
  'iu',
)

const isDuration = new RegExp(
  String.raw`\b(?:how (?:long|often|soon)|after how much|wie (?:lange|oft)|` +
    String.raw`how many (?:milli|micro|nano)?(?:seconds|minutes|hours|days|weeks|months|years))\b`,
  'i',
)

/** Returns the kind of value that a part of a question asks for, or undefined for any other question. */
export function readAskedKind(part: string): AskedKind | undefined {
  const kindPatterns = askedFor()
  const isSpecial = kindPatterns.slice(0, 4).find(([, pattern]) => pattern.test(part))
  if (isSpecial) return isSpecial[0]
  const amount = wantedAmount(part.replace(/\ba number of\b/gi, 'many'))
  if (amount !== undefined)
    return isDuration.test(part) ? 'duration' : amount === 'count' ? 'count' : 'number'
  const kind = kindPatterns.find(([, pattern]) => pattern.test(part))?.[0]
  if (kind !== undefined) return kind
  return asksMeasure(part) ? 'number' : asksSeveral.test(part) ? 'items' : undefined
}

/** Names of the kinds for the sentence "no quote gives … for: PART". */
export const kindNames: Readonly<Record<AskedKind, string>> = {
  count: 'a number',
  duration: 'a number',
  number: 'a number',
  value: 'a value',
  error: 'an error',
  signal: 'a signal',
  version: 'a version',
  items: 'two items',
  place: 'a place',
}

const values = once(
  (): Readonly<Record<Exclude<AskedKind, 'count' | 'duration' | 'number'>, RegExp>> => ({
    value: new RegExp(
      '`[^`\\n]{1,80}`|"[^"\\n]{1,80}"|' +
        String.raw`(?<!\w)'[^'\n]{1,80}'|\b(?:true|false|none|null|nil|never|always|unlimited)\b|` +
        String.raw`\b(?:off|disabled|enabled|empty)\b|` +
        String.raw`(?<=\bdefaults?\b[\w ]{0,30} (?:is|are) to )\w+|` +
        String.raw`\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b`,
      'gi',
    ),
    error: /[A-Za-z]*(?:Error|Exception|Fault|Warning)\b|\bErr[A-Z]\w*|\bE[A-Z]{3,}\b|\b[1-5]\d\d\b/g,
    signal: /\bSIG[A-Z0-9]+\b|\b(?:USR[12]|HUP|TERM|INT|KILL|QUIT|STOP|CHLD|WINCH)\b/g,
    version: /\bv?\d+(?:\.\d+)+\b|\bv\d+\b|(?:>=|>|~|\^)\s?\d+|[A-Z]\w+ \d+\b/g,
    items: new RegExp(
      [
        String.raw`[\x60"'](?:, | and | or |, (?:and|or) |\s?\|\s?)[\x60"']`,
        String.raw`[\w\x60"')\]] (?:and|or) [\w\x60"'(\[]|[\w.-]+, [\w.-]+, [\w.-]+`,
        String.raw`^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+\S.*\n+[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+\S`,
        String.raw`^[ \t]*[\w.'"]+[ \t]*(?:=|:)[^\n]+\n[ \t]*[\w.'"]+[ \t]*(?:=|:)`,
        String.raw`^[ \t]*[\w.'"]+,\n[ \t]*[\w.'"]+,?$`,
      ].join('|'),
      'gm',
    ),
    place: new RegExp(
      String.raw`[\w~.-]*\/[\w.-]+|\x60[^\x60\n]{2,80}\x60|\b[\w-]+\.(?:[a-z]{1,4}|conf|json|yaml|toml)\b|` +
        String.raw`\b(?:in|inside|into|at|under|below|on|from) (?:the |a |an |its |each )?\w`,
      'g',
    ),
  }),
)

/** Returns the indices in `text` at which a value of the kind begins. */
export function findValues(text: string, kind: AskedKind): number[] {
  const numbers = () => listNumbers(text)
  if (kind === 'count' || kind === 'number') return numbers()
  if (kind === 'duration') return numbers().filter((at) => isMeasured(text, at))
  const matchIndexes = [...text.matchAll(values()[kind])].map(({ index }) => index)
  return kind === 'value' ? [...matchIndexes, ...numbers()].sort((a, b) => a - b) : matchIndexes
}

/** Matches numbers that mark a list item, and dates, versions and ids. These numbers measure nothing. */
const markers = new RegExp(
  String.raw`^[ \t]*(?:[/*#]+[ \t]*)?\d{1,3}[.)](?=\s)|\b\d{4}-\d\d(?:-\d\d)?|` +
    String.raw`(?<![\d.])\d+\.\d+\.\d+|\b[A-Z]{2,}-\d+(?:-\d+)?`,
  'gm',
)

function listNumbers(text: string): number[] {
  const plain = text.replace(markers, (marker) => ' '.repeat(marker.length))
  return [
    ...[...plain.matchAll(inDigits), ...plain.matchAll(inWords())].map(({ index }) => index),
    ...listForeignNumerals(plain),
  ].sort((a, b) => a - b)
}

/** Matches units of time and length, and words that occur in the names of settings for them. */
export const measureWords = new RegExp(
  String.raw`\d\s?(?:[mnuµ]?s|m|h|d|w|y|%)\b|seconds?|secs?\b|minutes?|mins?\b|hours?|days?\b|daily|` +
    'weeks?|weekly|' +
    'months?|years?|millis|nightly|yearly|hourly|monthly|ttl|timeout|interval|period|delay|duration|expir|' +
    String.raw`\bage\b|every|once|twice|never|forever|always|unlimited|indefinite|default|` +
    'characters?|letters?|chars|bytes|lines?|columns?|words|pages|length|' +
    'sekunde|minute|stunde|tage?|woche|monat|jahr|heures?|jours?|semaine|mois|ans\\b|horas?|días?|años?|' +
    '[秒分時时年月週周天日]|초|분|시간|секунд|минут|час|дн|ден|год|лет|วินาที|นาที|ชั่วโมง|วัน|' +
    'ثانية|دقيقة|ساعة|يوم|שני|דק|שע|יו|मिनट|घंट|दिन|giây|phút|giờ|ngày',
  'iu',
)

/**
 * Largest distance in characters between a number and its unit. A unit farther away does not belong
 * to the number.
 */
const unitChars = 40

const isMeasured = (text: string, at: number): boolean =>
  measureWords.test(text.slice(Math.max(0, at - unitChars), at + unitChars))

/**
 * A part of a question with its telling words, as indices of terms. Telling words are those that are not
 * common in questions.
 */
export interface AskedPart {
  part: number
  text: string
  kind: AskedKind | undefined
  terms: readonly number[]
  /** Names in the part before, if the subject of this part is "it" or "they", which means one of them. */
  meant: readonly number[]
  weights: readonly number[]
}

const pronounSubject = /\b(?:do|does|did|is|are|was|were|can|could|must|may|should|will|would) (?:it|they)\b/i

/**
 * Returns the parts of the question with their telling words. A part without such words gets all
 * of its words.
 */
export function listAskedParts(question: ParsedQuestion, weights: readonly number[]): AskedPart[] {
  return listTellingParts(question, weights).map(({ part, weights: partWeights }) => {
    const all = [...partWeights.keys()].filter((term) => (partWeights[term] as number) > 0)
    const telling = all.filter((term) => (question.terms[term]?.weight ?? 0) >= tellingWeight)
    const terms = telling.length > 0 ? telling : all
    const text = question.parts[part] ?? ''
    return {
      part,
      text,
      kind: readAskedKind(text),
      terms,
      meant: pronounSubject.test(text) ? listNamesBefore(question, part) : [],
      weights: partWeights.map((weight, term) => (terms.includes(term) ? weight : 0)),
    }
  })
}

const listNamesBefore = ({ terms }: ParsedQuestion, part: number): number[] =>
  [...terms.keys()].filter((term) => terms[term]?.isName && terms[term].part === part - 1)

/**
 * Returns the weight of a term in the question; 0 in scripts without spaces, where the terms are
 * pieces of words.
 */
export const countedWeight = ({ terms }: ParsedQuestion, term: number): number =>
  terms[term]?.script === 'unspaced' ? 0 : (terms[term]?.weight ?? 0)
