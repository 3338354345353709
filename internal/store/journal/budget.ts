// The budget of a study, shared by its workers, in the local database. An amount is reserved before a request
// and replaced by the real usage after it. Functions that write have to run in a transaction.
import { createUlid } from '../../base/ids.ts'
import type { DatabaseConnection } from '../connection.ts'
import type { BudgetAccount, BudgetAmount, BudgetLimits, Fence, ReserveResult } from './journal.ts'
import { isFenceCurrent, readStudyRow, type StudyRow } from './lease-fencing.ts'

export function reserveAmount(
  db: DatabaseConnection,
  study: string,
  fence: Fence,
  amount: BudgetAmount,
  share: number,
  cap: BudgetLimits,
): ReserveResult {
  const row = readStudyRow(db, study)
  if (!isFenceCurrent(db, row, fence)) return { state: 'fenced' }
  const whole = computeRemaining(accountOf(db, row), { tokens: row.tokens, usd: row.usd }, share)
  const remainingForTask = computeRemaining(accountOf(db, row, fence.task), cap, 1)
  for (const [whose, remainingAmount] of [
    ['study', whole],
    ['task', remainingForTask],
  ] as const) {
    const by =
      amount.tokens > remainingAmount.tokens ? 'tokens' : amount.usd > remainingAmount.usd ? 'usd' : undefined
    if (by) return { state: 'refused', by, whose, left: remainingAmount }
  }
  const id = createUlid()
  db.run(
    'INSERT INTO study_reservation (id, study, task, tokens, usd) VALUES (?, ?, ?, ?, ?)',
    id,
    row.n,
    fence.task,
    amount.tokens,
    amount.usd,
  )
  return { state: 'ok', id }
}

/** Returns the amount that can still be reserved within `share` of the limits; Infinity without a limit. */
function computeRemaining(
  { spent, reserved }: BudgetAccount,
  limits: { tokens?: number | null; usd?: number | null },
  share: number,
): BudgetAmount {
  const remainderOf = (what: 'tokens' | 'usd') => {
    const limit = limits[what] ?? undefined
    if (limit === undefined) return Number.POSITIVE_INFINITY
    return Math.max(0, limit * share - spent[what] - reserved[what])
  }
  return { tokens: remainderOf('tokens'), usd: remainderOf('usd') }
}

interface ReservationRow extends BudgetAmount {
  task: string
  live: number
}

export function settleReservation(
  db: DatabaseConnection,
  study: string,
  reservation: string,
  usedAmount: BudgetAmount,
): void {
  const row = readStudyRow(db, study)
  const reservationRow = db.get<ReservationRow>(
    'SELECT task, tokens, usd, live FROM study_reservation WHERE id = ? AND study = ?',
    reservation,
    row.n,
  )
  if (!reservationRow) return
  db.run('DELETE FROM study_reservation WHERE id = ?', reservation)
  const beyond = (what: 'tokens' | 'usd') =>
    Math.max(0, usedAmount[what] - (reservationRow.live ? reservationRow[what] : 0))
  for (const task of ['', reservationRow.task]) {
    db.run(
      `INSERT INTO study_account (study, task, tokens, usd, over_tokens, over_usd) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens, usd = usd + excluded.usd,
         over_tokens = over_tokens + excluded.over_tokens, over_usd = over_usd + excluded.over_usd`,
      row.n,
      task,
      usedAmount.tokens,
      usedAmount.usd,
      beyond('tokens'),
      beyond('usd'),
    )
  }
}

export function readAccount(db: DatabaseConnection, study: string, task?: string): BudgetAccount {
  return accountOf(db, readStudyRow(db, study), task)
}

/**
 * Returns the account of a task. Without `task`, returns the sums over all tasks, which are stored under
 * an empty name.
 */
function accountOf(db: DatabaseConnection, { n }: StudyRow, task?: string): BudgetAccount {
  const booked = db.get<{ tokens: number; usd: number; over_tokens: number; over_usd: number }>(
    'SELECT tokens, usd, over_tokens, over_usd FROM study_account WHERE study = ? AND task = ?',
    n,
    task ?? '',
  )
  const reservedAmount = db.get<BudgetAmount>(
    `SELECT total(tokens) AS tokens, total(usd) AS usd FROM study_reservation
     WHERE study = ?1 AND live = 1 AND (?2 IS NULL OR task = ?2)`,
    n,
    task ?? null,
  )
  return {
    spent: { tokens: booked?.tokens ?? 0, usd: booked?.usd ?? 0 },
    reserved: reservedAmount ?? { tokens: 0, usd: 0 },
    overrun: { tokens: booked?.over_tokens ?? 0, usd: booked?.over_usd ?? 0 },
  }
}

export function setLimits(db: DatabaseConnection, study: string, limits: BudgetLimits): void {
  db.run(
    'UPDATE study SET tokens = ?, usd = ? WHERE n = ?',
    limits.tokens ?? null,
    limits.usd ?? null,
    readStudyRow(db, study).n,
  )
}
