// The state of record of a study: one ordered log, leases on tasks, a shared budget, mail and blobs. Knows no
// entry by its kind.
import type { Mailbox } from '../mail/mailbox.ts'

/**
 * One line of the log. `seq` counts from 1 without gaps; `ts` is the journal's own clock in ms since 1970.
 */
export interface JournalLine {
  seq: number
  ts: number
  kind: string
  /** At most one line of a study has a given key: what must not be written twice carries one. */
  key?: string
  data: Readonly<Record<string, unknown>>
}

export type NewJournalLine = Pick<JournalLine, 'kind' | 'key' | 'data'>

/** Under which claim a worker writes. */
export interface Fence {
  task: string
  epoch: number
  owner: string
}

/** What a queue carries, and nothing else. */
export interface StudyJob {
  study: string
  task: string
  epoch: number
}

/**
 * `duplicate`: a key is taken. `fenced`: the claim is no longer the task's newest. Nothing was written in
 * either case.
 */
export type AppendResult =
  | { state: 'ok'; last: number }
  | { state: 'duplicate'; key: string }
  | { state: 'fenced' }

/** `stale`: a newer job for the task exists. `busy`: somebody else holds a live lease. */
export type ClaimResult =
  | { state: 'ok'; epoch: number }
  | { state: 'busy'; untilMs: number }
  | { state: 'ended' }
  | { state: 'stale' }

export interface BudgetAmount {
  tokens: number
  usd: number
}

/** Absent: without limit. */
export type BudgetLimits = Partial<BudgetAmount>

/**
 * `left` is what could still have been reserved, Infinity where there is no limit. `fenced`: as for `append`.
 */
export type ReserveResult =
  | { state: 'ok'; id: string }
  | { state: 'fenced' }
  | { state: 'refused'; by: 'tokens' | 'usd'; whose: 'study' | 'task'; left: BudgetAmount }

/**
 * `reserved` is asked for but not yet settled; `overrun` what endpoints reported beyond their reservations.
 */
export interface BudgetAccount {
  spent: BudgetAmount
  reserved: BudgetAmount
  overrun: BudgetAmount
}

/**
 * Every call is durable when it resolves, and all calls on one study are linearizable. Rejects with
 * FailureError `io` or `busy`; a study that is not there rejects with `not_found`.
 */
export interface Journal {
  /** Writes the first line and sets the totals. Rejects with `bad_args` when the id is taken. */
  create(study: string, first: NewJournalLine, limits: BudgetLimits): Promise<void>
  /**
   * All or nothing, in order. `settled` is settled in the same moment, as `settle` would: a paid reply is in
   * the log exactly if it is in the account.
   */
  append(
    study: string,
    batch: readonly NewJournalLine[],
    fence?: Fence,
    settled?: { reservation: string; used: BudgetAmount },
  ): Promise<AppendResult>
  /** Lines with `seq` above `after`, in order. */
  read(study: string, after: number, limit: number): Promise<JournalLine[]>
  /** Resolves when there are lines above `after`, at the latest after `ms`, or when `signal` aborts. */
  wait(study: string, after: number, ms: number, signal: AbortSignal): Promise<void>

  /** Notes that a job with this epoch was handed to the queue: older ones are stale from now on. */
  enqueued(job: StudyJob): Promise<void>
  /**
   * Takes the lease and raises the epoch; the next claim is only possible once the lease has ended or was
   * given back.
   */
  claim(job: StudyJob, owner: string, leaseMs: number): Promise<ClaimResult>
  /** Prolongs the lease; false: fenced off, the work has to be dropped. */
  heartbeat(study: string, fence: Fence, leaseMs: number): Promise<boolean>
  /**
   * Ends the lease of `owner` now: it gives it back, or whoever saw it die says so. Reservations under it are
   * freed. `ended` also closes the task for every later claim.
   */
  release(study: string, task: string, owner: string, ended: boolean): Promise<void>
  /** Live leases. */
  leases(study: string): Promise<{ task: string; owner: string; epoch: number; untilMs: number }[]>

  /**
   * Holds `amount` back if `spent + reserved + amount` stays within `share` (0 to 1) of the study's totals
   * and within `cap` for the task. A reservation ends with `settle` or with the task's lease.
   */
  reserve(
    study: string,
    fence: Fence,
    amount: BudgetAmount,
    share: number,
    cap: BudgetLimits,
  ): Promise<ReserveResult>
  /**
   * Counts what was really used in place of the reservation; more than was reserved counts as overrun. A
   * reservation that ended with its lease counts too, all of it as overrun: nobody held anything back for
   * it. Once only.
   */
  settle(study: string, reservation: string, used: BudgetAmount): Promise<void>
  account(study: string, task?: string): Promise<BudgetAccount>
  /** New totals, for a study that is taken up again. */
  limit(study: string, limits: BudgetLimits): Promise<void>

  /** Mailboxes of the scopes `study:<id>`. */
  readonly mail: Mailbox
  /** Keeps bytes under their SHA-256 in hex. */
  blob(study: string, bytes: Uint8Array): Promise<string>
  open(study: string, hash: string): Promise<Uint8Array | undefined>
  close(): Promise<void>
}
