// A check that has to pass before a run may end: its attempts, and when they are over.
import type { ProofReceipt } from './prove.ts'

/** A check of the goal, from this process or from the record of an earlier one. */
interface GoalCheck {
  /** Number of the check; 0 for the check before the first request. */
  attempt: number
  state: ProofReceipt['state']
  reason?: string | undefined
  /** Identity of the files before the check. */
  on: string
  /** Identity of the files after the check. */
  tree: string
}

/**
 * The end of a run whose check did not pass. `unproven`: all attempts failed. `no_change`: the model stopped
 * again without any change. `check_changed`: it passes only with changed tests. `tampered`: a sealed file
 * stays changed.
 */
export type GoalEnd = 'unproven' | 'no_change' | 'check_changed' | 'tampered'

/** The checks so far. Results are added in order. */
export class GoalAttempts {
  readonly limit: number
  #checks: GoalCheck[] = []

  /** `limit`: number of failed checks that ends the run. `before`: checks from the record. */
  constructor(limit: number, before: readonly GoalCheck[] = []) {
    this.limit = limit
    this.#checks = [...before]
  }

  get last(): GoalCheck | undefined {
    return this.#checks.at(-1)
  }

  /** Number of failed checks, without the one before the first request. */
  get failed(): number {
    return this.#checks.filter(({ attempt, state }) => attempt > 0 && state === 'unproven').length
  }

  /** Number of checks, without the one before the first request. */
  get count(): number {
    return this.#checks.filter(({ attempt }) => attempt > 0).length
  }

  /** Result of the check before the first request, or null if it did not run. */
  get before(): 'pass' | 'fail' | null {
    const first = this.#checks.find(({ attempt }) => attempt === 0)
    return first ? (first.state === 'proven' ? 'pass' : 'fail') : null
  }

  /** Whether the check passed and failed on the same files. */
  get isFlaky(): boolean {
    const states = new Map<string, string>()
    return this.#checks.some(({ on, state, reason }) => {
      // changed tests and definitions say nothing about the command
      if (state === 'unproven' && reason !== 'failed') return false
      const earlier = states.get(on)
      states.set(on, state)
      return earlier !== undefined && earlier !== state
    })
  }

  /** Returns the end of a run whose model stops on the files of the last failed check. */
  endWithoutChange(tree: string, hasActed: boolean): GoalEnd | undefined {
    const { last } = this
    if (!last || last.attempt === 0 || last.state === 'proven' || hasActed || last.tree !== tree)
      return undefined
    return endFor(last.reason) ?? 'no_change'
  }

  /** Adds a check. Returns the end of the run if this failed check was the last attempt. */
  add(check: GoalCheck): GoalEnd | undefined {
    const previous = this.last
    this.#checks.push(check)
    if (check.attempt === 0 || check.state === 'proven') return undefined
    const end = endFor(check.reason)
    // the model has had one message about these files
    const isRepeated = previous !== undefined && previous.attempt > 0 && previous.reason === check.reason
    if (end && isRepeated) return end
    return this.failed >= this.limit ? (end ?? 'unproven') : undefined
  }
}

const endFor = (reason: string | undefined): GoalEnd | undefined =>
  reason === 'tampered' || reason === 'check_changed' ? reason : undefined
