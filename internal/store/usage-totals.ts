// Sums of the usage of model requests over threads and studies. The texts of events are not read.
import type { DatabaseConnection } from './connection.ts'

export type UsageKey = 'day' | 'model' | 'profile' | 'thread' | 'tool'

/**
 * Total usage of requests. The input tokens are split into fresh ones, those read from a cache, and those
 * written to it.
 */
export interface UsageTotals {
  requests: number
  fresh: number
  cacheRead: number
  cacheWrite: number
  output: number
  /** Cost in US dollars of those requests whose price is known. */
  usd: number
  /** Number of requests whose price is unknown. `usd` does not include them. */
  unpriced: number
  /** Number of requests whose tokens were estimated, because the endpoint did not count them. */
  estimated: number
}

export interface UsageGroup extends UsageTotals {
  /**
   * What the group is about: a day in local time, a model, a profile, the id of a root thread or study,
   * or a tool.
   */
  key: string
  /** Title of a thread, or question of a study; null for groups by other keys than `thread`. */
  title: string | null
}

export interface UsageQuery {
  by: UsageKey
  /** Milliseconds since 1970. Earlier usage is excluded. */
  since?: number | undefined
}

/**
 * Returns one group for each key; days are in order, other groups begin with the most expensive one.
 * With `by` `thread`, the usage of a subagent or a fork counts in its root thread. With `by` `tool`, the
 * usage of a request is divided evenly among the calls of its response, and a response without calls has
 * the empty key.
 */
export function sumUsage(db: DatabaseConnection, { by, since = 0 }: UsageQuery): UsageGroup[] {
  const order = by === 'day' ? 'key' : 'usd DESC, fresh + cacheRead + cacheWrite + output DESC, key'
  return db.all<UsageGroup>(
    `WITH RECURSIVE ${by === 'thread' ? climbing : flat}, ${requests}${by === 'tool' ? `, ${shares}` : ''}
     SELECT ${keyColumns[by]} AS key, ${by === 'thread' ? 'max(root_title)' : 'NULL'} AS title,
       sum(share) AS requests,
       sum(share * max(input - cached - written, 0)) AS fresh, sum(share * cached) AS cacheRead,
       sum(share * written) AS cacheWrite, sum(share * output) AS output,
       total(share * usd) AS usd, sum(share * (usd IS NULL)) AS unpriced, sum(share * guessed) AS estimated
     FROM ${by === 'tool' ? 'shared' : 'request'} GROUP BY 1 ORDER BY ${order}`,
    since,
  )
}

const keyColumns: Readonly<Record<UsageKey, string>> = {
  day: `strftime('%Y-%m-%d', ts / 1000, 'unixepoch', 'localtime')`,
  model: `coalesce(model, 'unknown')`,
  profile: 'profile',
  thread: 'root',
  tool: 'tool',
}

/**
 * SQL that selects each thread with its root thread, which is found by following the parents. If a parent was
 * deleted, its subagents and forks are roots.
 */
const climbing = `
  climb (n, id, title, parent) AS (
    SELECT n, id, title, parent FROM thread
    UNION ALL SELECT c.n, p.id, p.title, p.parent FROM climb c JOIN thread p ON p.id = c.parent
  ),
  rooted (n, root, root_title) AS (
    SELECT n, id, title FROM climb c
    WHERE parent IS NULL OR NOT EXISTS (SELECT 1 FROM thread p WHERE p.id = c.parent)
  )`

/** SQL that treats each thread as a root thread, for totals that are not grouped by root thread. */
const flat = 'rooted (n, root, root_title) AS (SELECT n, id, title FROM thread)'

const usedByEvent = `
  ifnull(json_extract(p.json, '$.input'), 0) AS input,
  ifnull(json_extract(p.json, '$.cached'), 0) AS cached,
  ifnull(json_extract(p.json, '$.cacheWrite'), 0) AS written,
  ifnull(json_extract(p.json, '$.output'), 0) AS output,
  json_extract(p.json, '$.usd') AS usd,
  ifnull(json_extract(p.json, '$.estimated'), 0) AS guessed`

const usedByStep = `
  ifnull(json_extract(l.data, '$.usage.input'), 0) AS input,
  ifnull(json_extract(l.data, '$.usage.cached'), 0) AS cached,
  ifnull(json_extract(l.data, '$.usage.cacheWrite'), 0) AS written,
  ifnull(json_extract(l.data, '$.usage.output'), 0) AS output,
  json_extract(l.data, '$.usage.usd') AS usd,
  ifnull(json_extract(l.data, '$.usage.estimated'), 0) AS guessed`

/**
 * SQL that selects requests. The copies of events at the start of a fork are excluded, because the
 * originals are counted. In a thread the response to a request is the event after its usage; in a study
 * both are one line.
 */
const requests = `
  request AS (
    SELECT e.ts, 1.0 AS share, r.root, r.root_title, t.profile,
      coalesce(json_extract(p.json, '$.model'), t.model) AS model, ${usedByEvent},
      e.thread, e.pos, NULL AS calls
    FROM thread_event e JOIN thread t ON t.n = e.thread JOIN rooted r ON r.n = e.thread
      JOIN thread_payload p ON p.n = e.n
    WHERE e.type = 'usage' AND e.ts >= max(t.created, ?1)
    UNION ALL
    SELECT l.ts, 1.0, s.id, json_extract(h.data, '$.question'), 'study',
      coalesce(json_extract(l.data, '$.usage.model'), json_extract(h.data, '$.model.name')),
      ${usedByStep}, NULL, NULL, json_extract(l.data, '$.reply.calls')
    FROM study s JOIN study_line h ON h.study = s.n AND h.seq = 1
      JOIN study_line l ON l.study = s.n AND l.key >= 'step:' AND l.key < 'step;'
    WHERE l.ts >= ?1
  )`

const shares = `
  answered AS MATERIALIZED (
    SELECT q.*, coalesce(q.calls, (
      SELECT json_extract(p.json, '$.calls') FROM thread_event m JOIN thread_payload p ON p.n = m.n
      WHERE m.thread = q.thread AND m.pos = q.pos + 1 AND m.type = 'message'
    ), '[]') AS made FROM request q
  ),
  shared AS (
    SELECT a.ts, 1.0 / max(json_array_length(a.made), 1) AS share, a.input, a.cached, a.written, a.output,
      a.usd, a.guessed, coalesce(json_extract(c.value, '$.name'), '') AS tool
    FROM answered a LEFT JOIN json_each(a.made) c
  )`
