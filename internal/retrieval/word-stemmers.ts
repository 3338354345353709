// The stemmers of all languages that have one, which a question of another language does not need.
export { stemmer as stemPorter } from '@orama/stemmers/english'
export { stemmer as stemFrench } from '@orama/stemmers/french'
export { stemmer as stemGerman } from '@orama/stemmers/german'
export { stemmer as stemRussian } from '@orama/stemmers/russian'
export { stemmer as stemSpanish } from '@orama/stemmers/spanish'
