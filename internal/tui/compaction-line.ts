// One line for a conversation that was compacted.
import { countNoun } from '../base/text/count-noun.ts'
import { shortCount } from './run-summary.ts'

interface CompactionCounts {
  /** Messages that a summary replaced; 0 where long texts were cut instead. */
  replaced?: number | undefined
  /** Estimated tokens of the conversation. */
  tokens?: { before: number; after: number } | undefined
}

export function compactionLine({ replaced = 0, tokens }: CompactionCounts): string {
  const by = tokens ? ` ${shortCount(tokens.before)} to ${shortCount(tokens.after)} tokens` : ''
  return `compacted${by}, ${replaced === 0 ? 'long texts cut' : countNoun(replaced, 'message')}`
}
