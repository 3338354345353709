// Score of a path for typed letters: names count before directories, whole words before scattered letters.

/** Score, higher is better, see `rank`; undefined if the path lacks a word of the query. */
type Score = number

/** A path with the values that every query needs of it. */
export interface ScoredPath {
  readonly path: string
  /** Text that is compared. */
  readonly folded: string
  /** One bit for each letter and digit in it, see `letterBits`. */
  readonly letters: number
  /** Start of the base name. */
  readonly nameAt: number
  /** Deduction for its length: of two equal matches the shorter path wins, then the shallower one. */
  readonly cost: number
}

/** Prepares a path that is scored many times. */
export function prepareScoredPath(path: string, caseSensitive: boolean): ScoredPath {
  const folded = caseSensitive ? path : path.toLowerCase()
  const nameAt = folded.lastIndexOf('/') + 1
  return { path, folded, letters: letterBits(folded), nameAt, cost: path.length / 10 + countSlashes(path) }
}

/**
 * Returns a scorer of a query with one or more words, all of which must match, each as letters in this order.
 * A word with a slash is matched against the whole path, any other word first against the base name.
 */
export function createScorer(query: string, caseSensitive: boolean): (path: string) => Score | undefined {
  const score = createPreparedScorer(query, caseSensitive)
  return (path) => score(prepareScoredPath(path, caseSensitive))
}

/** Returns a scorer of paths that were prepared with the same `caseSensitive`. */
export function createPreparedScorer(
  query: string,
  caseSensitive: boolean,
): (prepared: ScoredPath) => Score | undefined {
  const words = (caseSensitive ? query : query.toLowerCase()).split(/\s+/).filter(Boolean)
  const needed = letterBits(words.join(''))
  return (prepared) => {
    // most paths lack a letter of the query
    if ((prepared.letters & needed) !== needed) return undefined
    let sum = 0
    for (const word of words) {
      const score = scoreWord(word, prepared)
      if (score === undefined) return undefined
      sum += score
    }
    return sum - prepared.cost
  }
}

/** Returns one bit per small letter; digits share four, capitals and other characters have none. */
function letterBits(text: string): number {
  let bits = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (isLower(code)) bits |= 1 << (code - 97)
    else if (isDigit(code)) bits |= 1 << (26 + (code & 3))
  }
  return bits
}

/** Scores one word; the capitals of `path` mark where words begin. */
function scoreWord(word: string, { path, folded, nameAt }: ScoredPath): Score | undefined {
  if (!word.includes('/')) {
    if (folded.startsWith(word, nameAt)) {
      const end = nameAt + word.length
      if (end === folded.length) return 1_000
      if (end > nameAt && folded.charCodeAt(end) === dot && folded.indexOf('.', end + 1) === -1) return 950
      return 900
    }
    const at = bestStart(word, folded, path, nameAt)
    if (at !== -1) return isStart(path, at) ? 800 : 700
  } else if (folded === word || folded.endsWith(`/${word}`)) return 1_000
  const anywhere = bestStart(word, folded, path, 0)
  if (anywhere !== -1) return isStart(path, anywhere) ? 650 : 600
  return subsequence(word, folded, path, nameAt) ?? subsequence(word, folded, path, 0)
}

const dot = 46

/** Returns the index of the whole word from `from` on, preferably at the beginning of a part, or -1. */
function bestStart(word: string, folded: string, path: string, from: number): number {
  const first = folded.indexOf(word, from)
  for (let at = first; at !== -1; at = folded.indexOf(word, at + 1)) if (isStart(path, at)) return at
  return first
}

/** Returns whether a part of a name begins: after a separator, or at a capital after a small letter. */
function isStart(path: string, at: number): boolean {
  if (at === 0) return true
  const before = path.charCodeAt(at - 1)
  if (separators.has(before)) return true
  return isUpper(path.charCodeAt(at)) && (isLower(before) || isDigit(before))
}

// codes instead of expressions, because this runs for every letter of every path
const separators = new Set(Buffer.from('/._- '))
const isUpper = (code: number) => code >= 65 && code <= 90
const isLower = (code: number) => code >= 97 && code <= 122
const isDigit = (code: number) => code >= 48 && code <= 57

/**
 * Scores at most 500 for letters in order with gaps. It takes the last occurrence, shortened from the end, as
 * fzf's first algorithm does: letters at the beginning of parts and adjacent ones count most.
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

/** Collects the `limit` best items, ties in byte order of `key`, without storing all of them. */
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
