// The check that has to pass before a run may end: its attempts so far, and when the run ends without a pass.
import type { ProofReceipt } from './prove.ts'

/** One run of the check, made by this process, or by an earlier process and read from the stored record. */
interface GoalCheck {
  /** Number of this run of the check, from 1; 0 is the one before the first request to the model. */
  attempt: number
  state: ProofReceipt['state']
  reason?: string | undefined
  /** Identity of the files before the check. */
  on: string
  /** Identity of the files after the check. */
  tree: string
}

/**
 * Why a run ends although its check did not pass. `unproven`: all attempts failed. `no_change`: the model
 * stopped again without any change. `check_changed`: the check passes only with changed tests. `tampered`: a
 * file that the check uses stays changed although the task may not change it.
 */
export type GoalEnd = 'unproven' | 'no_change' | 'check_changed' | 'tampered'

/** The runs of the check so far, in order. */
export class GoalAttempts {
  readonly limit: number
  #checks: GoalCheck[] = []

  /**
   * `limit` is the number of failed checks after which the run ends; the check before the first request to
   * the model does not count. `before` contains the checks of the stored record.
   */
  constructor(limit: number, before: readonly GoalCheck[] = []) {
    this.limit = limit
    this.#checks = [...before]
  }

  get last(): GoalCheck | undefined {
    return this.#checks.at(-1)
  }

  /** Number of failed checks, without the check before the first request to the model. */
  get failed(): number {
    return this.#checks.filter(({ attempt, state }) => attempt > 0 && state === 'unproven').length
  }

  /** Number of checks, without the check before the first request to the model. */
  get count(): number {
    return this.#checks.filter(({ attempt }) => attempt > 0).length
  }

  /** Result of the check before the first request to the model, or null if it did not run. */
  get before(): 'pass' | 'fail' | null {
    const first = this.#checks.find(({ attempt }) => attempt === 0)
    return first ? (first.state === 'proven' ? 'pass' : 'fail') : null
  }

  /**
   * True if the check once passed and once failed on the same files. A failure because of changed tests or
   * definitions does not count.
   */
  get isFlaky(): boolean {
    const states = new Map<string, string>()
    return this.#checks.some(({ on, state, reason }) => {
      // A check that failed because tests or definitions were changed shows nothing about the command, so it
      // does not count here.
      if (state === 'unproven' && reason !== 'failed') return false
      const earlier = states.get(on)
      states.set(on, state)
      return earlier !== undefined && earlier !== state
    })
  }

  /**
   * Returns how a run ends whose model stops without an action since the last failed check, on the same
   * files. Returns undefined if the run does not end, and also if only the check before the first
   * request has run.
   */
  endWithoutChange(tree: string, hasActed: boolean): GoalEnd | undefined {
    const { last } = this
    if (!last || last.attempt === 0 || last.state === 'proven' || hasActed || last.tree !== tree)
      return undefined
    return endFor(last.reason) ?? 'no_change'
  }

  /**
   * Adds a check. Returns how the run ends if this failed check was the last attempt, or if the reason
   * `tampered` or `check_changed` appears in two checks in a row. Otherwise returns undefined.
   */
  add(check: GoalCheck): GoalEnd | undefined {
    const previous = this.last
    this.#checks.push(check)
    if (check.attempt === 0 || check.state === 'proven') return undefined
    const end = endFor(check.reason)
    // The model has already had one message with this reason, so the run ends at the second time.
    const isRepeated = previous !== undefined && previous.attempt > 0 && previous.reason === check.reason
    if (end && isRepeated) return end
    return this.failed >= this.limit ? (end ?? 'unproven') : undefined
  }
}

const endFor = (reason: string | undefined): GoalEnd | undefined =>
  reason === 'tampered' || reason === 'check_changed' ? reason : undefined
