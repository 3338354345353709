// The end of a run: always one of these, never an empty success.
import type { FailureKind } from '../model/model.ts'

/** Limits that end a run with what was found so far. */
export type RunLimit = 'turns' | 'calls' | 'tokens' | 'usd' | 'time'

/**
 * The end of a run. `denied`: the task is done as far as possible without calls that no user could approve.
 */
export type RunEnd =
  | { end: 'done'; text: string }
  | { end: 'partial'; reason: RunLimit | 'loop' | 'length' | 'filter' | 'denied'; text: string }
  | { end: 'limit'; reason: RunLimit; text: string }
  | { end: 'cancelled'; reason: string; text: string }
  | {
      end: 'failed'
      reason: FailureKind | 'empty_reply' | 'denied' | 'internal'
      message: string
      text: string
    }
