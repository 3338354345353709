// The end of a run: always one of the kinds in this file, never an empty success.
import type { FailureKind } from '../model/model.ts'

/** Limits that end a run with what was found so far. */
export type RunLimit = 'turns' | 'calls' | 'tokens' | 'usd' | 'time'

type PartialReason = RunLimit | 'loop' | 'length' | 'filter' | 'denied' | UnprovenEnd | 'hook'

/**
 * A run that stopped before its check proved the work. `check_changed`: the check passes only with
 * changed tests. `no_change`: the model stopped again without doing anything. `stood_down`: the user
 * withdrew the check.
 */
type UnprovenEnd = 'unproven' | 'no_change' | 'check_changed' | 'stood_down'

/**
 * The end of a run. `partial` with `denied`: the task is done as far as possible without calls that no
 * user could approve.
 */
export type RunEnd =
  | { end: 'done'; text: string }
  | { end: 'partial'; reason: PartialReason; text: string }
  | { end: 'limit'; reason: RunLimit; text: string }
  | { end: 'cancelled'; reason: string; text: string }
  | {
      end: 'failed'
      reason: FailureKind | 'empty_reply' | 'denied' | 'tampered' | 'internal'
      message: string
      text: string
    }
