// The log of a study: its lines in the local database, and the reader of any log, page by page. A worker
// appends lines only under a valid claim. Lines of other journals are copied without a claim.
import type { DatabaseConnection } from '../connection.ts'
import type { AppendResult, Fence, Journal, JournalLine, NewJournalLine } from './journal.ts'
import { isFenceCurrent, readStudyRow, type StudyRow } from './lease-fencing.ts'

/**
 * Appends all lines. Appends none if the worker's claim `fence` is outdated, or if a key exists already or is
 * twice in `batch`. Call it in a transaction. `ts` is the present time in ms since 1970. Throws FailureError
 * `not_found` for an unknown study.
 */
export function appendLines(
  db: DatabaseConnection,
  ts: number,
  study: string,
  batch: readonly NewJournalLine[],
  fence?: Fence,
): AppendResult {
  const row = readStudyRow(db, study)
  if (fence && !isFenceCurrent(db, row, fence)) return { state: 'fenced' }
  const duplicateKey = findDuplicateKey(db, row, batch)
  if (duplicateKey !== undefined) return { state: 'duplicate', key: duplicateKey }
  let { last } = row
  for (const { kind, key, data } of batch) insertLine(db, row, { seq: ++last, ts, kind, key, data })
  db.run('UPDATE study SET last = ? WHERE n = ?', last, row.n)
  return { state: 'ok', last }
}

function findDuplicateKey(
  db: DatabaseConnection,
  { n }: StudyRow,
  batch: readonly NewJournalLine[],
): string | undefined {
  const batchKeys = new Set<string>()
  return batch
    .flatMap(({ key }) => (key === undefined ? [] : [key]))
    .find((key) => {
      const twice = batchKeys.has(key)
      batchKeys.add(key)
      return twice || db.get('SELECT 1 FROM study_line WHERE study = ? AND key = ?', n, key) !== undefined
    })
}

function insertLine(
  db: DatabaseConnection,
  { n }: StudyRow,
  { seq, ts, kind, key, data }: JournalLine,
): void {
  db.run(
    'INSERT INTO study_line (study, seq, ts, kind, key, data) VALUES (?, ?, ?, ?, ?, ?)',
    n,
    seq,
    ts,
    kind,
    key ?? null,
    JSON.stringify(data),
  )
}

interface LineRow {
  seq: number
  ts: number
  kind: string
  key: string | null
  data: string
}

export function readLines(
  db: DatabaseConnection,
  study: string,
  after: number,
  limit: number,
): JournalLine[] {
  return db
    .all<LineRow>(
      'SELECT seq, ts, kind, key, data FROM study_line WHERE study = ? AND seq > ? ORDER BY seq LIMIT ?',
      readStudyRow(db, study).n,
      after,
      limit,
    )
    .map(lineOf)
}

/** Returns all lines of these kinds, in order. Throws FailureError `not_found` for an unknown study. */
export function readLinesOfKinds(
  db: DatabaseConnection,
  study: string,
  kinds: readonly string[],
): JournalLine[] {
  return db
    .all<LineRow>(
      `SELECT seq, ts, kind, key, data FROM study_line
       WHERE study = ? AND kind IN (SELECT value FROM json_each(?)) ORDER BY seq`,
      readStudyRow(db, study).n,
      JSON.stringify(kinds),
    )
    .map(lineOf)
}

function lineOf({ key, data, ...line }: LineRow): JournalLine {
  return { ...line, key: key ?? undefined, data: JSON.parse(data) as JournalLine['data'] }
}

/**
 * Stores lines of a log from another journal unchanged, and skips existing ones. The first line creates
 * the study. Returns the last `seq` that is stored here. Throws if a line or the study is missing. Call it
 * in a transaction.
 */
export function mirrorLines(db: DatabaseConnection, study: string, lines: readonly JournalLine[]): number {
  const [first] = lines
  if (first?.seq === 1) insertStudy(db, study, first)
  const row = readStudyRow(db, study)
  const fresh = lines.filter((line) => line.seq > row.last)
  for (const [i, line] of fresh.entries()) {
    if (line.seq !== row.last + i + 1)
      throw new Error(`the mirror of ${study} lacks line ${row.last + i + 1}`)
    insertLine(db, row, line)
  }
  const last = fresh.at(-1)?.seq ?? row.last
  db.run('UPDATE study SET last = ? WHERE n = ?', last, row.n)
  return last
}

/**
 * Inserts the row of a study. Returns false if the row exists already. `project` and `created` come from the
 * first line, for the list of studies.
 */
export function insertStudy(
  db: DatabaseConnection,
  study: string,
  first: Pick<JournalLine, 'ts' | 'data'>,
): boolean {
  const { project, created } = first.data
  const insertResult = db.run(
    'INSERT INTO study (id, project, created) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    study,
    typeof project === 'string' ? project : null,
    typeof created === 'number' ? created : first.ts,
  )
  return insertResult.changes > 0
}

const linesPerPage = 500

/**
 * Yields the lines whose `seq` is above `after`, in order. Ends at the last line that it finds, without
 * waiting for more.
 */
export async function* readJournalLines(
  journal: Pick<Journal, 'read'>,
  study: string,
  after = 0,
): AsyncGenerator<JournalLine, void> {
  for (let last = after; ; ) {
    const page = await journal.read(study, last, linesPerPage)
    yield* page
    last = page.at(-1)?.seq ?? last
    if (page.length < linesPerPage) return
  }
}

/** Returns all lines of the study's journal, in order. */
export async function listJournalLines(
  journal: Pick<Journal, 'read'>,
  study: string,
): Promise<JournalLine[]> {
  const lines: JournalLine[] = []
  for await (const line of readJournalLines(journal, study)) lines.push(line)
  return lines
}
