// Which files to read for some terms, and which lines of them (study.md 4.1, rule 3).

/** One line that holds a term. */
export interface Hit {
  path: string
  line: number
  term: string
}

/** Rarity of a term that `df` of `files` files hold (BM25's form, never negative). */
export function idf(files: number, df: number): number {
  return Math.log(1 + Math.max(0, files - df + 0.5) / (df + 0.5))
}

export interface Weights {
  /** Weight of each term; a term nobody looked for weighs nothing. */
  of(term: string): number
  /** Terms no file holds. */
  missing: string[]
}

/** Weights of terms from the files in which each was seen. `files` is the number of files looked at. */
export function weights(terms: readonly string[], hits: readonly Hit[], files: number): Weights {
  const paths = new Map<string, Set<string>>(terms.map((term) => [term, new Set()]))
  for (const hit of hits) paths.get(hit.term)?.add(hit.path)
  const all = Math.max(files, new Set(hits.map((hit) => hit.path)).size)
  const known = new Map(terms.map((term) => [term, idf(all, paths.get(term)?.size ?? 0)]))
  return { of: (term) => known.get(term) ?? 0, missing: terms.filter((term) => paths.get(term)?.size === 0) }
}

/** Paths by `sum over terms of idf * (1 + ln tf)`, best first, ties by path. */
export function rank(hits: readonly Hit[], weight: Weights): string[] {
  const counts = new Map<string, Map<string, number>>()
  for (const { path, term } of hits) {
    const own = counts.get(path) ?? new Map<string, number>()
    own.set(term, (own.get(term) ?? 0) + 1)
    counts.set(path, own)
  }
  const scored = [...counts].map(([path, own]) => {
    let score = 0
    for (const [term, tf] of own) score += weight.of(term) * (1 + Math.log(tf))
    return { path, score }
  })
  scored.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
  return scored.map(({ path }) => path)
}

export interface Window {
  path: string
  from: number
  to: number
}

/** Lines around hits, `margin` on each side, overlapping or touching ones merged, in order. */
export function windows(path: string, lines: readonly number[], margin = 10): Window[] {
  const out: Window[] = []
  for (const line of [...new Set(lines)].sort((a, b) => a - b)) {
    const last = out.at(-1)
    const from = Math.max(1, line - margin)
    if (last && from <= last.to + 1) last.to = line + margin
    else out.push({ path, from, to: line + margin })
  }
  return out
}
