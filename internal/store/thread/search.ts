// Full-text search over threads: the matching events, their order, and their excerpts.
import type { EventDraft } from '../../event/event.ts'
import type { DatabaseConnection } from '../connection.ts'
import type { ThreadHit } from '../store.ts'
import { readThread, type ThreadRow, threadColumns } from './events.ts'
import { collectIndexText, threadToken, workspaceToken } from './index-text.ts'
import { buildMatchQuery, parseQueryTerms as termsOf } from './search-query.ts'
import { makeSnippet } from './snippet.ts'

/**
 * Number of the latest matches that are ranked. With this limit a frequent word costs no more than a rare
 * one; among so many matches users want the latest.
 */
const candidates = 1_000

interface EventMatch {
  n: number
  thread: number
  pos: number
  score: number
}

interface SearchOptions {
  workspace?: string
  limit: number
  thread?: string
  except?: string
}

/**
 * Returns at most `limit` hits: the best match of each thread, or the matches in `options.thread`. Events
 * with all terms come first. If they are too few, events with any term follow, without terms that more than
 * 5,000 events contain if there are others. Empty for a query without terms and for an unknown thread.
 */
export function searchThreads(db: DatabaseConnection, query: string, options: SearchOptions): ThreadHit[] {
  const terms = termsOf(query)
  const scopes = scopesOf(db, options)
  if (terms.length === 0 || !scopes) return []
  const single = options.thread !== undefined

  const best = new Map<number, EventMatch>()
  const collect = (mode: 'all' | 'any', words: readonly string[]) => {
    const rows = rankEvents(db, buildMatchQuery(words, mode, scopes.within, scopes.except), mode)
    // The positions of events are looked up in batches, only until enough threads are found.
    for (let at = 0; at < rows.length && best.size < options.limit; at += 100) {
      for (const match of locateEvents(db, rows.slice(at, at + 100))) {
        const key = single ? match.n : match.thread
        if (!best.has(key)) best.set(key, match)
      }
    }
  }
  collect('all', terms)
  if (best.size < options.limit && terms.length > 1) {
    const rare = terms.filter((term) => !isEverywhere(db, buildMatchQuery([term], 'all', [], [])))
    collect('any', rare.length > 0 ? rare : terms)
  }
  return [...best.values()].slice(0, options.limit).flatMap((match) => readHit(db, match, terms))
}

/** Returns the index words for the scopes of a search; undefined if the thread `thread` does not exist. */
function scopesOf(db: DatabaseConnection, { workspace, thread, except }: SearchOptions) {
  const number = (id: string) => db.get<{ n: number }>('SELECT n FROM thread WHERE id = ?', id)?.n
  const within = workspace === undefined ? [] : [workspaceToken(workspace)]
  if (thread !== undefined) {
    const n = number(thread)
    if (n === undefined) return undefined
    within.push(threadToken(n))
  }
  const excludedNumber = except === undefined ? undefined : number(except)
  return { within, except: excludedNumber === undefined ? [] : [threadToken(excludedNumber)] }
}

/**
 * Returns the latest 1,000 matches, best first, with BM25 scores as SQLite computes them, relative to the
 * best match. Events with all terms get 0.5 to 1, others at most 0.49. If scores are equal, the later
 * event comes first.
 */
function rankEvents(
  db: DatabaseConnection,
  query: string,
  mode: 'all' | 'any',
): { n: number; score: number }[] {
  const rows = db.all<{ n: number; rank: number }>(
    `SELECT n, rank FROM (
       SELECT rowid AS n, bm25(thread_text, 1.0, 0.0) AS rank FROM thread_text WHERE thread_text MATCH ?
       ORDER BY rowid DESC LIMIT ${candidates}
     ) ORDER BY rank, n DESC`,
    query,
  )
  const top = rows[0]?.rank || -1
  return rows.map(({ n, rank }) => {
    const share = rank / top
    return { n, score: mode === 'all' ? 0.5 + 0.5 * share : 0.49 * share }
  })
}

/** Returns thread and position of each event that still exists, in the same order. */
function locateEvents(db: DatabaseConnection, rows: readonly { n: number; score: number }[]): EventMatch[] {
  const places = new Map(
    db
      .all<Omit<EventMatch, 'score'>>(
        'SELECT n, thread, pos FROM thread_event WHERE n IN (SELECT value FROM json_each(?))',
        JSON.stringify(rows.map((row) => row.n)),
      )
      .map((place) => [place.n, place]),
  )
  return rows.flatMap(({ n, score }) => {
    const place = places.get(n)
    return place ? [{ ...place, score }] : []
  })
}

function isEverywhere(db: DatabaseConnection, query: string): boolean {
  const row = db.get<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM thread_text WHERE thread_text MATCH ? LIMIT 5001)`,
    query,
  )
  return (row?.count ?? 0) > 5_000
}

/** Returns the hit as a list of one; empty if another process has deleted the event meanwhile. */
function readHit(
  db: DatabaseConnection,
  { n, pos, score }: EventMatch,
  terms: readonly string[],
): ThreadHit[] {
  const row = db.get<ThreadRow & { type: string; json: string }>(
    `SELECT ${threadColumns}, e.type, p.json FROM thread_event e JOIN thread t ON t.n = e.thread
     JOIN thread_payload p ON p.n = e.n WHERE e.n = ?`,
    n,
  )
  if (!row) return []
  const { type, json, ...thread } = row
  const text = collectIndexText({ type, payload: JSON.parse(json) } as EventDraft)
  return [
    {
      thread: readThread(thread),
      snippet: makeSnippet(text, terms),
      pos,
      score: Math.round(score * 1000) / 1000,
    },
  ]
}
