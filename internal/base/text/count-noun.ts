// Counts of things as people read them.
import { groupDigits } from './group-digits.ts'

/** `1 file`, `1,204 files`; `many` where an `s` does not make the plural. */
export const countNoun = (n: number, one: string, many = `${one}s`): string =>
  `${groupDigits(n)} ${n === 1 ? one : many}`
