// How well a path answers a few typed letters: names before folders, whole words before scattered letters.

/** Better first, see `rank`; undefined when a word of the query is not in the path at all. */
type Score = number

/**
 * Prepares a query of one or more words, all of which must be found. A word with a slash is held against the
 * whole path, any other first against the base name.
 */
export function createScorer(query: string, caseSensitive: boolean): (path: string) => Score | undefined {
  const fold = (text: string) => (caseSensitive ? text : text.toLowerCase())
  const words = fold(query).split(/\s+/).filter(Boolean)
  return (path) => {
    const folded = fold(path)
    let sum = 0
    for (const word of words) {
      const score = scoreWord(word, folded, path)
      if (score === undefined) return undefined
      sum += score
    }
    // of two equals the shorter path, then the shallower one
    return sum - path.length / 10 - countSlashes(path)
  }
}

/** `folded` is what is compared, `path` the same with its capitals, which mark where words begin. */
function scoreWord(word: string, folded: string, path: string): Score | undefined {
  const slash = folded.lastIndexOf('/') + 1
  const name = folded.slice(slash)
  if (!word.includes('/')) {
    if (name === word) return 1_000
    const dot = name.lastIndexOf('.')
    if (dot > 0 && name.slice(0, dot) === word) return 950
    if (name.startsWith(word)) return 900
    const at = bestStart(word, folded, path, slash)
    if (at !== -1) return isStart(path, at) ? 800 : 700
  } else if (folded === word || folded.endsWith(`/${word}`)) return 1_000
  const anywhere = bestStart(word, folded, path, 0)
  if (anywhere !== -1) return isStart(path, anywhere) ? 650 : 600
  const scattered = subsequence(word, folded, path, slash) ?? subsequence(word, folded, path, 0)
  return scattered
}

/** Where the word stands as a whole from `from` on, at the beginning of a part if it does anywhere; or -1. */
function bestStart(word: string, folded: string, path: string, from: number): number {
  const first = folded.indexOf(word, from)
  for (let at = first; at !== -1; at = folded.indexOf(word, at + 1)) if (isStart(path, at)) return at
  return first
}

/** True where a part of a name begins: after a separator, or a capital after a small letter. */
function isStart(path: string, at: number): boolean {
  if (at === 0) return true
  const before = path.charCodeAt(at - 1)
  if (separators.has(before)) return true
  return isUpper(path.charCodeAt(at)) && (isLower(before) || isDigit(before))
}

// codes, not expressions: this is asked for every letter of every path
const separators = new Set(Array.from('/._- ', (char) => char.charCodeAt(0)))
const isUpper = (code: number) => code >= 65 && code <= 90
const isLower = (code: number) => code >= 97 && code <= 122
const isDigit = (code: number) => code >= 48 && code <= 57

/**
 * At most 500 for letters that come in order but apart. The last occurrence is taken, shortened from behind,
 * as fzf's first algorithm does: letters at the beginning of parts and side by side count most.
 */
function subsequence(word: string, folded: string, path: string, from: number): Score | undefined {
  let end = from
  for (const letter of word) {
    const at = folded.indexOf(letter, end)
    if (at === -1) return undefined
    end = at + letter.length
  }
  let at = end
  let score = 0
  let next = -1
  for (let i = word.length - 1; i >= 0; i--) {
    at = folded.lastIndexOf(word[i] as string, at - 1)
    if (isStart(path, at)) score += 8
    if (at + 1 === next) score += 6
    next = at
  }
  const span = end - at
  const best = word.length * 14
  return Math.max(1, Math.round((500 * score) / best) - (span - word.length))
}

function countSlashes(path: string): number {
  let count = 0
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) count++
  return count
}

interface Ranked<T> {
  item: T
  score: Score
}

/** Keeps the `limit` best, ties in byte order of `key`, without holding all of them. */
export function collectBest<T>(limit: number, key: (item: T) => string) {
  let kept: Ranked<T>[] = []
  let bar: Ranked<T> | undefined
  const order = (a: Ranked<T>, b: Ranked<T>) => b.score - a.score || (key(a.item) < key(b.item) ? -1 : 1)
  const settle = () => {
    kept.sort(order)
    kept = kept.slice(0, limit)
    if (kept.length === limit) bar = kept.at(-1)
  }
  return {
    add(item: T, score: Score) {
      if (bar && order({ item, score }, bar) > 0) return
      kept.push({ item, score })
      if (kept.length >= limit * 2 + 256) settle()
    },
    ranked(): Ranked<T>[] {
      settle()
      return kept
    },
  }
}
