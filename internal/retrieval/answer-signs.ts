// What a passage has that can answer a question: numbers that measure something, and paths.
import { hasNumeral } from '../base/text/scripts/numerals.ts'
import type { WantedAnswer } from './languages/wanted-answer.ts'

/**
 * Matches a path or the name of a file at its first sign, a slash or a dot, so that plain words cost little.
 */
const placeText =
  /\/[\w.-]|\.(?:(?<=\w-*\.)(?:conf|json|ya?ml|toml|md|ts|js|c|h|py|go|rs|txt|ini|cfg)|\w+rc)\b/

const durationText = new RegExp(
  String.raw`\d\s?(?:m?s|us|µs|sec(?:ond)?s?|milli|min(?:ute)?s?|h(?:ours?)?|d(?:ays?)?|weeks?|` +
    String.raw`Sekunden?|Minuten?|Stunden?|Tage?)\b|\b(?:milli)?seconds?\b|timeout|TIMEOUT|[Mm]illis`,
)
const sizeText = /\d\s?(?:[kKMGT]i?[bB]?|bytes?|letters?|characters?)\b|\bbytes\b|\b\d{4,}\b/

/**
 * Returns what the numbers in a text measure, as flags: 1 any, 2 a duration, 4 a number of bytes. Reads only
 * for the kind that the question wants, because no other kind changes a score.
 */
export function numberIn(content: string, wanted: WantedAnswer['number']): number {
  if (wanted === undefined || !hasNumeral(content)) return 0
  if (wanted === 'duration') return durationText.test(content) ? 3 : 1
  return wanted === 'size' && sizeText.test(content) ? 5 : 1
}

/** Returns true if the text has a path or the name of a file. */
export const hasPlaceIn = (content: string): boolean => placeText.test(content)
