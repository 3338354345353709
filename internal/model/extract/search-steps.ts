// The order of work of builtin/extract: list, search, find, read, then say what was found (study.md 4.1, rule
// 3).
import type { ModelMessage, ToolSpec } from '../model.ts'
import { chooseClaims, type FacetClaims } from './claims.ts'
import { mergeWindows, rankFiles, type TermWeights, weighTerms } from './file-ranking.ts'
import { readToolResults, type ShownResults } from './shown-results.ts'

export interface ExtractStep {
  name: string
  args: Record<string, unknown>
}

/** A file is read around at most this many places. */
const placesPerFile = 12
const filesRead = 5

export interface ExtractProgress {
  seen: ShownResults
  weight: TermWeights
  /** Calls to make now; empty when it is time to answer. */
  steps: ExtractStep[]
}

/**
 * Where the work on `terms` stands in these messages, counted from index `from`. Tools not offered are left
 * out.
 */
export function planSteps(
  messages: readonly ModelMessage[],
  from: number,
  terms: readonly string[],
  tools: readonly ToolSpec[],
): ExtractProgress {
  const seen = readToolResults(messages, from, terms)
  const weight = weighTerms(terms, seen.hits, seen.files)
  const open = (name: string) => tools.some((tool) => tool.name === name) && !seen.called.has(name)
  return { seen, weight, steps: terms.length === 0 ? [] : next(terms, seen, weight, open) }
}

function next(
  terms: readonly string[],
  seen: ShownResults,
  weight: TermWeights,
  open: (name: string) => boolean,
): ExtractStep[] {
  if (open('glob')) return [{ name: 'glob', args: { pattern: '**/*', limit: 2000 } }]
  if (open('grep')) return terms.map((pattern) => ({ name: 'grep', args: { pattern, max_matches: 20 } }))
  if (open('finder')) return [{ name: 'finder', args: { mode: 'text', query: terms.join(' ') } }]
  if (!open('read')) return []
  return rankFiles(seen.hits, weight)
    .slice(0, filesRead)
    .flatMap((path) => {
      const lines = seen.hits.filter((hit) => hit.path === path).map((hit) => hit.line)
      return mergeWindows(path, lines).slice(0, placesPerFile)
    })
    .map(({ path, from, to }) => ({ name: 'read', args: { path, start_line: from, end_line: to } }))
}

/** The quotations for `terms` from what was read. */
export function concludeClaims(terms: readonly string[], { seen, weight }: ExtractProgress): FacetClaims {
  return chooseClaims(seen.passages, terms, weight)
}
