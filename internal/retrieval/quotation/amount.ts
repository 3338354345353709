// Check whether quoted lines give the amount that a question asks for, in digits or in words.
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
/** Numbers in digits. A 0 or 1 that is assigned is a switch and not a count. */
const inDigits = /(?<![\w.])(?!(?<==)[01]\b)\d+/gu

/** Words that ask for a number. A number near such a word does not count what the question asks about. */
const asking = /^(?:number|count|amount|many|max|min|larg|small|high|low|most|least|anzahl|nombre|numer)/i

/** Maximum distance in characters between a number and the word that it counts. */
const nearChars = 60

/**
 * Returns whether the lines give the amount. A count needs a number near a word of the question, a
 * measure needs any number.
 */
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
