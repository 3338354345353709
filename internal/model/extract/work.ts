// The order of work of builtin/extract: list, search, find, read, then say what was found (study.md 4.1, rule 3).
import type { ModelMessage, ToolSpec } from '../model.ts'
import { type Claims, choose } from './claims.ts'
import { rank, type Weights, weights, windows } from './rank.ts'
import { look, type Seen } from './seen.ts'

export interface Step {
  name: string
  args: Record<string, unknown>
}

/** A file is read around at most this many places. */
const placesPerFile = 12
const filesRead = 5

export interface Progress {
  seen: Seen
  weight: Weights
  /** Calls to make now; empty when it is time to answer. */
  steps: Step[]
}

/** Where the work on `terms` stands in these messages, counted from index `from`. Tools not offered are left out. */
export function proceed(
  messages: readonly ModelMessage[],
  from: number,
  terms: readonly string[],
  tools: readonly ToolSpec[],
): Progress {
  const seen = look(messages, from, terms)
  const weight = weights(terms, seen.hits, seen.files)
  const open = (name: string) => tools.some((tool) => tool.name === name) && !seen.called.has(name)
  return { seen, weight, steps: terms.length === 0 ? [] : next(terms, seen, weight, open) }
}

function next(
  terms: readonly string[],
  seen: Seen,
  weight: Weights,
  open: (name: string) => boolean,
): Step[] {
  if (open('glob')) return [{ name: 'glob', args: { pattern: '**/*', limit: 2000 } }]
  if (open('grep')) return terms.map((pattern) => ({ name: 'grep', args: { pattern, max_matches: 20 } }))
  if (open('finder')) return [{ name: 'finder', args: { mode: 'text', query: terms.join(' ') } }]
  if (!open('read')) return []
  return rank(seen.hits, weight)
    .slice(0, filesRead)
    .flatMap((path) => {
      const lines = seen.hits.filter((hit) => hit.path === path).map((hit) => hit.line)
      return windows(path, lines).slice(0, placesPerFile)
    })
    .map(({ path, from, to }) => ({ name: 'read', args: { path, start_line: from, end_line: to } }))
}

/** The quotations for `terms` from what was read. */
export function conclude(terms: readonly string[], { seen, weight }: Progress): Claims {
  return choose(seen.passages, terms, weight)
}
