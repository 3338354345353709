// The journal of a study, which is its only record: one ordered log, leases on tasks, a shared budget, mail
// and blobs. It does not interpret the kinds of entries.
import type { Mailbox } from '../mail/mailbox.ts'

/**
 * One line of the log. `seq` counts from 1 without gaps. `ts` is in ms since 1970, by the clock of
 * the machine that stores the journal.
 */
export interface JournalLine {
  seq: number
  ts: number
  kind: string
  /** Key of a line that must not be written twice. A study has at most one line for each key. */
  key?: string
  data: Readonly<Record<string, unknown>>
}

export type NewJournalLine = Pick<JournalLine, 'kind' | 'key' | 'data'>

/** The claim on a task under which a worker writes. The journal rejects writes under an older claim. */
export interface Fence {
  task: string
  epoch: number
  owner: string
}

/** An entry in the queue of tasks. */
export interface StudyJob {
  study: string
  task: string
  epoch: number
}

/**
 * Result of appending. `duplicate`: a key already exists. `fenced`: the task has a newer claim. In both cases
 * nothing was written.
 */
export type AppendResult =
  | { state: 'ok'; last: number }
  | { state: 'duplicate'; key: string }
  | { state: 'fenced' }

/**
 * Result of claiming a task. `ended`: the task is closed. `stale`: the task has a newer job. `busy`: the
 * lease of another owner has not expired.
 */
export type ClaimResult =
  | { state: 'ok'; epoch: number }
  | { state: 'busy'; untilMs: number }
  | { state: 'ended' }
  | { state: 'stale' }

export interface BudgetAmount {
  tokens: number
  usd: number
}

/** Limits of a budget. Default: no limit. */
export type BudgetLimits = Partial<BudgetAmount>

/**
 * Result of reserving. `left`: the amount that could be reserved, Infinity without a limit. `fenced`: the
 * task has a newer claim.
 */
export type ReserveResult =
  | { state: 'ok'; id: string }
  | { state: 'fenced' }
  | { state: 'refused'; by: 'tokens' | 'usd'; whose: 'study' | 'task'; left: BudgetAmount }

/**
 * State of a budget. `reserved`: requested and not settled yet. `overrun`: usage that endpoints reported
 * above the reservations.
 */
export interface BudgetAccount {
  spent: BudgetAmount
  reserved: BudgetAmount
  overrun: BudgetAmount
}

/**
 * Every call is durable when it resolves, and all calls on one study are linearizable. Rejects with
 * FailureError `io` or `busy`, and with `not_found` for an unknown study.
 */
export interface Journal {
  /** Writes the first line and sets the totals. Rejects with `bad_args` if the id exists. */
  create(study: string, first: NewJournalLine, limits: BudgetLimits): Promise<void>
  /**
   * Appends all lines in their order, or none. `settled` is settled in the same transaction, as `settle`
   * would do. So a paid response is in the log exactly if it is in the account.
   */
  append(
    study: string,
    batch: readonly NewJournalLine[],
    fence?: Fence,
    settled?: { reservation: string; used: BudgetAmount },
  ): Promise<AppendResult>
  /** Returns lines with `seq` above `after`, in order. */
  read(study: string, after: number, limit: number): Promise<JournalLine[]>
  /** Resolves when the log has lines above `after`, at the latest after `ms`, or when `signal` aborts. */
  wait(study: string, after: number, ms: number, signal: AbortSignal): Promise<void>

  /**
   * Records that a job with this epoch was put into the queue. Older jobs of the task are stale from then on.
   */
  enqueued(job: StudyJob): Promise<void>
  /**
   * Starts the lease and raises the epoch. The next claim is possible after the lease has ended
   * or was released.
   */
  claim(job: StudyJob, owner: string, leaseMs: number): Promise<ClaimResult>
  /** Extends the lease. Returns false if the claim is fenced and the worker has to drop the task. */
  heartbeat(study: string, fence: Fence, leaseMs: number): Promise<boolean>
  /**
   * Ends the lease of `owner` now and frees the reservations of the task. The owner calls it, or a process
   * that saw the owner die. `ended` also closes the task for every later claim.
   */
  release(study: string, task: string, owner: string, ended: boolean): Promise<void>
  /** Returns the leases of a study that have not expired. */
  leases(study: string): Promise<{ task: string; owner: string; epoch: number; untilMs: number }[]>

  /**
   * Reserves `amount` if `spent + reserved + amount` stays within `share` (0 to 1) of the study's totals and
   * within `cap` for the task. A reservation ends with `settle` or with the task's lease.
   */
  reserve(
    study: string,
    fence: Fence,
    amount: BudgetAmount,
    share: number,
    cap: BudgetLimits,
  ): Promise<ReserveResult>
  /**
   * Counts the real usage in place of the reservation. Usage above the reservation counts as overrun, as does
   * all usage of a reservation that ended with its lease. Call it once for each reservation.
   */
  settle(study: string, reservation: string, used: BudgetAmount): Promise<void>
  account(study: string, task?: string): Promise<BudgetAccount>
  /** Sets new totals, for a study that is resumed. */
  limit(study: string, limits: BudgetLimits): Promise<void>

  /** The mailboxes whose scope is `study:<id>`. */
  readonly mail: Mailbox
  /** Stores bytes under their SHA-256 in hex, and resolves to that hash. */
  blob(study: string, bytes: Uint8Array): Promise<string>
  open(study: string, hash: string): Promise<Uint8Array | undefined>
  close(): Promise<void>
}
