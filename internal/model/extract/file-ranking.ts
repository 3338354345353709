// Which files to read for some terms, and which lines of them (study.md 4.1, rule 3).
import { findTerms } from '../../text-analysis/terms.ts'

/** One line that holds a term. */
export interface TermHit {
  path: string
  line: number
  term: string
}

/** Rarity of a term that `df` of `files` files hold (BM25's form, never negative). */
export function computeIdf(files: number, df: number): number {
  return Math.log(1 + Math.max(0, files - df + 0.5) / (df + 0.5))
}

export interface TermWeights {
  /** Weight of each term; a term nobody looked for weighs nothing. */
  of(term: string): number
  /** Terms no file holds. */
  missing: string[]
}

/** Weights of terms from the files in which each was seen. `files` is the number of files looked at. */
export function weighTerms(terms: readonly string[], hits: readonly TermHit[], files: number): TermWeights {
  const paths = new Map<string, Set<string>>(terms.map((term) => [term, new Set()]))
  for (const hit of hits) paths.get(hit.term)?.add(hit.path)
  const all = Math.max(files, new Set(hits.map((hit) => hit.path)).size)
  const known = new Map(terms.map((term) => [term, computeIdf(all, paths.get(term)?.size ?? 0)]))
  return { of: (term) => known.get(term) ?? 0, missing: terms.filter((term) => paths.get(term)?.size === 0) }
}

/** Written by programs; what stands in there is rarely anybody's answer. */
const machineMade = /(?:\.lock|lock\.json|lock\.ya?ml|\.min\.\w+|\.map|\.svg|\.snap|go\.sum)$/i

/** Beside the matter unless somebody asks for it. */
const aside = /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|examples?)\/|[._-](?:test|spec)\.\w+$/i

/** How much of its weight a file keeps for what it is, from 0 to 1. */
export function weighFile(path: string, terms: readonly string[]): number {
  if (machineMade.test(path)) return 0.1
  const wanted = terms.some((term) => /^(?:test|spec|fixture|example)$/.test(term))
  return aside.test(path) && !wanted ? 0.5 : 1
}

/**
 * Paths, best first, ties by path. The sum over terms of `idf * (1 + ln tf)` is multiplied by the share of
 * the weight that the file holds at all, for else a long file with one frequent word would win; the line that
 * holds most and the words of the path count besides. Tests and files made by programs come after the rest.
 */
export function rankFiles(hits: readonly TermHit[], weight: TermWeights): string[] {
  const terms = [...new Set(hits.map(({ term }) => term))]
  const all = terms.reduce((sum, term) => sum + weight.of(term), 0)
  const scored = [...filesOf(hits)].map(([path, file]) => {
    let sum = 0
    let share = 0
    for (const [term, tf] of file.counts) {
      sum += weight.of(term) * (1 + Math.log(tf))
      share += weight.of(term)
    }
    const best = Math.max(...[...file.lines.values()].map((own) => sumOf(own, weight)))
    const named = sumOf(new Set(findTerms(path, terms)), weight)
    return { path, score: weighFile(path, terms) * (all > 0 ? (sum * share) / all + best + named : 0) }
  })
  scored.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
  return scored.map(({ path }) => path)
}

interface File {
  counts: Map<string, number>
  lines: Map<number, Set<string>>
}

function filesOf(hits: readonly TermHit[]): Map<string, File> {
  const files = new Map<string, File>()
  for (const { path, line, term } of hits) {
    const file = files.get(path) ?? { counts: new Map(), lines: new Map() }
    files.set(path, file)
    file.counts.set(term, (file.counts.get(term) ?? 0) + 1)
    file.lines.set(line, (file.lines.get(line) ?? new Set()).add(term))
  }
  return files
}

const sumOf = (terms: ReadonlySet<string>, weight: TermWeights) =>
  [...terms].reduce((sum, term) => sum + weight.of(term), 0)

interface Window {
  path: string
  from: number
  to: number
}

/** Lines around hits, `margin` on each side, overlapping or touching ones merged, in order. */
export function mergeWindows(path: string, lines: readonly number[], margin = 10): Window[] {
  const out: Window[] = []
  for (const line of [...new Set(lines)].sort((a, b) => a - b)) {
    const last = out.at(-1)
    const from = Math.max(1, line - margin)
    if (last && from <= last.to + 1) last.to = line + margin
    else out.push({ path, from, to: line + margin })
  }
  return out
}
