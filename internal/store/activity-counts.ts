// Counts of recent activity, from the events in the database: turns, tokens, tool calls, ended runs, their
// durations, and queued work.
import type { RecordedActivity } from '../event/recorded-activity.ts'
import type { DatabaseConnection } from './connection.ts'

interface ActivityRow {
  n: number
  type: 'message' | 'usage' | 'tool.result' | 'run.ended'
  ms: number | null
  what: string | null
  input: number
  cached: number
  written: number
  output: number
}

/** Largest number of events that are read at a time. After a long pause, the next reading gets the rest. */
const maxRows = 50_000

/**
 * Returns a function that counts the events since its previous call, at most `maxRows`; further ones count at
 * the next call. Its first call counts the events since the function was created, because a data directory
 * may contain years of events.
 */
export function createActivityReader(db: DatabaseConnection): () => RecordedActivity {
  const newest = () => db.get<{ n: number | null }>('SELECT max(n) AS n FROM thread_event')?.n ?? 0
  let last = newest()
  return () => {
    // The database may use the number of a removed event again, so the stored number is lowered.
    last = Math.min(last, newest())
    const rows = db.all<ActivityRow>(newEvents, last, maxRows)
    last = rows.at(-1)?.n ?? last
    return { ...countRows(rows), queued: countQueued(db) }
  }
}

/**
 * Selects new messages, usage, tool results and ends of runs. The copies of events at the start of a fork are
 * excluded, because the originals are counted.
 */
const newEvents = `
  SELECT e.n, e.type, json_extract(p.json, '$.ms') AS ms,
    CASE e.type WHEN 'message' THEN json_extract(p.json, '$.role')
      WHEN 'tool.result' THEN
        iif(json_extract(p.json, '$.ok'), 'ok', ifnull(json_extract(p.json, '$.code'), 'failed'))
      WHEN 'run.ended' THEN json_extract(p.json, '$.end') END AS what,
    ifnull(json_extract(p.json, '$.input'), 0) AS input,
    ifnull(json_extract(p.json, '$.cached'), 0) AS cached,
    ifnull(json_extract(p.json, '$.cacheWrite'), 0) AS written,
    ifnull(json_extract(p.json, '$.output'), 0) AS output
  FROM thread_event e JOIN thread t ON t.n = e.thread JOIN thread_payload p ON p.n = e.n
  WHERE e.n > ?1 AND e.type IN ('message', 'usage', 'tool.result', 'run.ended') AND e.ts >= t.created
  ORDER BY e.n LIMIT ?2`

function countRows(rows: readonly ActivityRow[]): Omit<RecordedActivity, 'queued'> {
  const tokens = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
  for (const { type, input, cached, written, output } of rows) {
    if (type !== 'usage') continue
    tokens.input += Math.max(0, input - cached - written)
    tokens.cacheRead += cached
    tokens.cacheWrite += written
    tokens.output += output
  }
  const ofType = (type: ActivityRow['type']) => rows.filter((row) => row.type === type)
  const secondsOf = (type: ActivityRow['type']) =>
    ofType(type).flatMap(({ ms }) => (ms === null ? [] : [ms / 1_000]))
  return {
    turns: ofType('message').filter(({ what }) => what === 'assistant').length,
    tokens,
    calls: countValues(ofType('tool.result')),
    callSeconds: secondsOf('tool.result'),
    ends: countValues(ofType('run.ended')),
    runSeconds: secondsOf('run.ended'),
  }
}

function countValues(rows: readonly ActivityRow[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { what } of rows) counts.set(what ?? '', (counts.get(what ?? '') ?? 0) + 1)
  return counts
}

function countQueued(db: DatabaseConnection): RecordedActivity['queued'] {
  const count = (sql: string) => db.get<{ n: number }>(sql)?.n ?? 0
  return {
    mail: count(`SELECT count(*) AS n FROM delivery WHERE state = 'queued'`),
    study: count('SELECT count(*) AS n FROM study_job WHERE taken_by IS NULL'),
  }
}
