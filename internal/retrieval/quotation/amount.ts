// Tells whether quoted lines give the amount that a question asks for, in digits or in words.
import { once } from '../../base/once.ts'
import { listForeignNumerals } from '../../base/text/scripts/numerals.ts'
import type { ScanTerms } from '../term-scanner.ts'
import type { ParsedQuestion } from '../words.ts'

const inWords = once(
  () =>
    new RegExp(
      [
        'zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve',
        'twenty|thirty|sixty|hundred|thousand',
        String.raw`once|twice|never|always|forever|unlimited|unbounded|infinit\w*|eternal|indefinitely|half`,
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
/** Switches are set to 0 or 1, which counts nothing. */
const inDigits = /(?<![\w.])(?!(?<==)[01]\b)\d+/gu

/** Words that ask for a number: one beside them counts nothing that was asked about. */
const asking = /^(?:number|count|amount|many|max|min|larg|small|high|low|most|least|anzahl|nombre|numer)/i

/** A number this near to a word is a number of what the word means. */
const nearChars = 60

/** Of a count, a number has to stand near a word of the question; of a measure, there has to be one. */
export function givesAmount(
  lines: readonly string[],
  { terms, wants }: Pick<ParsedQuestion, 'terms' | 'wants'>,
  scan: ScanTerms,
): boolean {
  if (wants.amount === undefined) return true
  return lines.some((line) => {
    const numbers = [
      ...[...line.matchAll(inDigits), ...line.matchAll(inWords())].map(({ index }) => index),
      ...listForeignNumerals(line),
    ]
    if (wants.amount === 'measure' || numbers.length === 0) return numbers.length > 0
    let isNear = false
    scan(line, ({ at, term }) => {
      const { weight = 0, word = '' } = terms[term] ?? {}
      const isTelling = weight >= 0.6 && !asking.test(word)
      isNear ||= isTelling && numbers.some((number) => Math.abs(number - at) <= nearChars)
    })
    return isNear
  })
}
