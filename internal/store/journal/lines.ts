// The log of a study in the local database: appended under a fence, read in order, mirrored from elsewhere.
import type { Connection } from '../connection.ts'
import type { Appended, Fence, Line, NewLine } from './journal.ts'
import { holds } from './lease.ts'
import { type Place, place } from './place.ts'

/** To be called within a transaction. `ts` is the clock now. */
export function append(
  db: Connection,
  ts: number,
  study: string,
  batch: readonly NewLine[],
  fence?: Fence,
): Appended {
  const at = place(db, study)
  if (fence && !holds(db, at, fence)) return { state: 'fenced' }
  const taken = duplicate(db, at, batch)
  if (taken !== undefined) return { state: 'duplicate', key: taken }
  let { last } = at
  for (const { kind, key, data } of batch)
    write(db, at, { seq: ++last, ts, kind, ...(key !== undefined && { key }), data })
  db.run('UPDATE study SET last = ? WHERE n = ?', last, at.n)
  return { state: 'ok', last }
}

function duplicate(db: Connection, { n }: Place, batch: readonly NewLine[]): string | undefined {
  const seen = new Set<string>()
  return batch
    .flatMap(({ key }) => (key === undefined ? [] : [key]))
    .find((key) => {
      const twice = seen.has(key)
      seen.add(key)
      return twice || db.get('SELECT 1 FROM study_line WHERE study = ? AND key = ?', n, key) !== undefined
    })
}

function write(db: Connection, { n }: Place, { seq, ts, kind, key, data }: Line): void {
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

export function read(db: Connection, study: string, after: number, limit: number): Line[] {
  return db
    .all<LineRow>(
      'SELECT seq, ts, kind, key, data FROM study_line WHERE study = ? AND seq > ? ORDER BY seq LIMIT ?',
      place(db, study).n,
      after,
      limit,
    )
    .map(({ key, data, ...line }) => ({
      ...line,
      ...(key !== null && { key }),
      data: JSON.parse(data) as Line['data'],
    }))
}

/**
 * Takes over lines of a log that is kept elsewhere, as they are; those that are here already are passed over. They
 * have to follow each other without a gap. Returns the last `seq` that is here now. Within a transaction.
 */
export function mirror(db: Connection, study: string, lines: readonly Line[]): number {
  const [first] = lines
  if (first?.seq === 1) open(db, study, first)
  const at = place(db, study)
  const fresh = lines.filter((line) => line.seq > at.last)
  for (const [i, line] of fresh.entries()) {
    if (line.seq !== at.last + i + 1) throw new Error(`the mirror of ${study} lacks line ${at.last + i + 1}`)
    write(db, at, line)
  }
  const last = fresh.at(-1)?.seq ?? at.last
  db.run('UPDATE study SET last = ? WHERE n = ?', last, at.n)
  return last
}

/** The row of a study, unless it is there; `project` and `created` are taken from its first line for the list. */
export function open(db: Connection, study: string, first: Pick<Line, 'ts' | 'data'>): boolean {
  const { project, created } = first.data
  const made = db.run(
    'INSERT INTO study (id, project, created) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    study,
    typeof project === 'string' ? project : null,
    typeof created === 'number' ? created : first.ts,
  )
  return made.changes > 0
}
