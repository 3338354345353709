// Notices a model that makes the same calls over and over.
import type { ModelToolCall } from '../model/model.ts'

/** Returns a counter: how many turns in a row, this one included, made exactly these calls. */
export function countRepetitions(): (calls: readonly ModelToolCall[]) => number {
  let last = ''
  let count = 0
  return (calls) => {
    const now = JSON.stringify(calls.map(({ name, args, malformed }) => [name, args ?? malformed?.raw]))
    count = now === last ? count + 1 : 1
    last = now
    return count
  }
}
