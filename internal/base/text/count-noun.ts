// Counts with nouns for users.
import { groupDigits } from './group-digits.ts'

/** Returns `1 file`, `1,204 files`. `many` is for irregular plurals. */
export const countNoun = (n: number, one: string, many = `${one}s`): string =>
  `${groupDigits(n)} ${n === 1 ? one : many}`
