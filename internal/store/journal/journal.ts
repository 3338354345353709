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

/**
 * The claim on a task under which a worker writes. `epoch` rises with each claim, and the journal rejects
 * writes under an older claim.
 */
export interface Fence {
  task: string
  epoch: number
  owner: string
}

/** An entry in the queue of tasks. A task that is queued again gets a higher `epoch`. */
export interface StudyJob {
  study: string
  task: string
  epoch: number
}

/**
 * Result of appending. `duplicate`: a line with this key exists or is twice in the batch. `fenced`: the task
 * has a newer claim, or the claim was released. In both cases nothing was written.
 */
export type AppendResult =
  | { state: 'ok'; last: number }
  | { state: 'duplicate'; key: string }
  | { state: 'fenced' }

/**
 * Result of claiming a task. `ended`: the task is closed. `stale`: the task has a newer job. `busy`: a lease
 * on the task has not expired, also if the same owner has it.
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
 * Result of reserving. `left`: the amount that could still be reserved, Infinity without a limit. `fenced`:
 * the task has a newer claim, or the claim was released.
 */
export type ReserveResult =
  | { state: 'ok'; id: string }
  | { state: 'fenced' }
  | { state: 'refused'; by: 'tokens' | 'usd'; whose: 'study' | 'task'; left: BudgetAmount }

/**
 * State of a budget. `reserved`: for requests whose real usage is not known yet. `overrun`: the part of
 * `spent` that exceeds its reservation or has no valid reservation.
 */
export interface BudgetAccount {
  spent: BudgetAmount
  reserved: BudgetAmount
  overrun: BudgetAmount
}

/**
 * Journal of studies. Each call is stored durably when it resolves, and all processes see the calls
 * on one study in the same order. Rejects with FailureError `io` or `busy`, and with `not_found` for
 * an unknown study.
 */
export interface Journal {
  /**
   * Writes the first line of a new study and sets the limits of its budget. Rejects with `bad_args` if
   * the id exists.
   */
  create(study: string, first: NewJournalLine, limits: BudgetLimits): Promise<void>
  /**
   * Appends all lines in their order, or none. With the lines, the same transaction replaces the
   * reservation in `settled` by the real usage, as `settle` does. So a paid response is in the log exactly
   * if it is in the account.
   */
  append(
    study: string,
    batch: readonly NewJournalLine[],
    fence?: Fence,
    settled?: { reservation: string; used: BudgetAmount },
  ): Promise<AppendResult>
  /** Returns at most `limit` lines with `seq` above `after`, in order. */
  read(study: string, after: number, limit: number): Promise<JournalLine[]>
  /**
   * Resolves when the log has lines with `seq` above `after`, after `ms` milliseconds, or
   * when `signal` aborts.
   */
  wait(study: string, after: number, ms: number, signal: AbortSignal): Promise<void>

  /**
   * Records that a job with this epoch was put into the queue. From then on, older jobs of the task
   * cannot claim it.
   */
  enqueued(job: StudyJob): Promise<void>
  /**
   * Starts a lease of `leaseMs` on the task and raises its epoch. The next claim is possible after the lease
   * has expired or was released.
   */
  claim(job: StudyJob, owner: string, leaseMs: number): Promise<ClaimResult>
  /**
   * Makes the lease end in `leaseMs`. Returns false if the claim is outdated or released, so that the worker
   * has to drop the task.
   */
  heartbeat(study: string, fence: Fence, leaseMs: number): Promise<boolean>
  /**
   * Ends the lease of `owner` now and frees the reservations of the task; does nothing if another owner has
   * the lease. The owner calls it, or a process that saw the owner die. `ended` also closes the task for
   * every later claim.
   */
  release(study: string, task: string, owner: string, ended: boolean): Promise<void>
  /** Returns the leases of a study that have not expired. */
  leases(study: string): Promise<{ task: string; owner: string; epoch: number; untilMs: number }[]>

  /**
   * Reserves `amount` if `spent + reserved + amount` stays within `share` (0 to 1) of the study's
   * totals and within `cap` for the task. A reservation ends with `settle`, or when the task is
   * released or claimed again.
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
   * all usage of a reservation that ended with its lease. A reservation that does not exist, or was settled
   * before, is ignored.
   */
  settle(study: string, reservation: string, used: BudgetAmount): Promise<void>
  account(study: string, task?: string): Promise<BudgetAccount>
  /** Replaces the limits of the study's budget, when the study is resumed. */
  limit(study: string, limits: BudgetLimits): Promise<void>

  /** The mailboxes whose scope is `study:<id>`. */
  readonly mail: Mailbox
  /**
   * Stores bytes under their SHA-256 in hex, and resolves to that hash. Rejects with `too_large` for more
   * than 1 MiB.
   */
  blob(study: string, bytes: Uint8Array): Promise<string>
  open(study: string, hash: string): Promise<Uint8Array | undefined>
  close(): Promise<void>
}
