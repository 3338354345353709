// The stemmers of all languages that have one, which a question of another language does not need.
import { stemmer as stemPorter } from '@orama/stemmers/english'

export { stemmer as stemFrench } from '@orama/stemmers/french'
export { stemmer as stemGerman } from '@orama/stemmers/german'
export { stemmer as stemRussian } from '@orama/stemmers/russian'
export { stemmer as stemSpanish } from '@orama/stemmers/spanish'

/**
 * Returns the Porter stem of an English word. The library cuts one letter too many from words in -sion and
 * -tion, so that "protection" would have another stem than "protect".
 */
export function stemEnglish(word: string): string {
  const stem = stemPorter(word)
  const [suffix, letter] = /([st])ions?$/.exec(word) ?? []
  return suffix !== undefined && stem + suffix === word ? `${stem}${letter}` : stem
}
