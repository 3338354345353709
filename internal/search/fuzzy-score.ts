// Score of a path for the letters that the user types. Letters in the file name count more than in
// directories, whole words more than scattered letters.

/**
 * Score of a path; a higher one means a better match. For a path that does not match a word of the query,
 * scorers return undefined instead.
 */
type PathScore = number

/** A path with values that are computed once and used for every query. */
export interface ScoredPath {
  readonly path: string
  /** Path in the form that is compared; in lower case unless case matters. */
  readonly folded: string
  /** Bits for the letters and digits that the path contains; see `letterBits`. */
  readonly letters: number
  /** Index at which the file name begins. */
  readonly nameAt: number
  /**
   * Points that are subtracted for the length and the depth of the path, so that of two equal matches the
   * shorter and less nested path ranks first.
   */
  readonly cost: number
}

/** Prepares a path that is scored many times. */
export function prepareScoredPath(path: string, caseSensitive: boolean): ScoredPath {
  const folded = caseSensitive ? path : path.toLowerCase()
  const nameAt = folded.lastIndexOf('/') + 1
  return { path, folded, letters: letterBits(folded), nameAt, cost: path.length / 10 + countSlashes(path) }
}

/**
 * Returns a function that scores paths for a query of one or more words. All words must match, each by its
 * letters in their order. A word with a slash is matched against the whole path, any other word first against
 * the file name.
 */
export function createScorer(query: string, caseSensitive: boolean): (path: string) => PathScore | undefined {
  const score = createPreparedScorer(query, caseSensitive)
  return (path) => score(prepareScoredPath(path, caseSensitive))
}

/** Returns a scorer of paths that were prepared with the same `caseSensitive`. */
export function createPreparedScorer(
  query: string,
  caseSensitive: boolean,
): (prepared: ScoredPath) => PathScore | undefined {
  const words = (caseSensitive ? query : query.toLowerCase()).split(/\s+/).filter(Boolean)
  const needed = letterBits(words.join(''))
  return (prepared) => {
    // Most paths lack a letter of the query, so this check saves the comparison.
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

/**
 * Returns a number with one bit for each lower-case letter that occurs. Digits share four bits; capitals and
 * other characters have none.
 */
function letterBits(text: string): number {
  let bits = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (isLower(code)) bits |= 1 << (code - 97)
    else if (isDigit(code)) bits |= 1 << (26 + (code & 3))
  }
  return bits
}

/**
 * Returns the score of one word; undefined if the path does not contain its letters in order. The capitals of
 * `path` show where the words of a name begin.
 */
function scoreWord(word: string, { path, folded, nameAt }: ScoredPath): PathScore | undefined {
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
  return scoreSubsequence(word, folded, path, nameAt) ?? scoreSubsequence(word, folded, path, 0)
}

const dot = 46

/**
 * Returns the index at which the path contains the whole word, from `from` on; preferably where a part of a
 * name begins. -1 if it does not occur.
 */
function bestStart(word: string, folded: string, path: string, from: number): number {
  const first = folded.indexOf(word, from)
  for (let at = first; at !== -1; at = folded.indexOf(word, at + 1)) if (isStart(path, at)) return at
  return first
}

/**
 * Returns true if a part of a name begins at `at`. A part begins with the path, after a separator, and at a
 * capital after a small letter or a digit.
 */
function isStart(path: string, at: number): boolean {
  if (at === 0) return true
  const before = path.charCodeAt(at - 1)
  if (separators.has(before)) return true
  return isUpper(path.charCodeAt(at)) && (isLower(before) || isDigit(before))
}

// Character codes are compared instead of expressions, because this runs for every letter of every path.
const separators = new Set(Buffer.from('/._- '))
const isUpper = (code: number) => code >= 65 && code <= 90
const isLower = (code: number) => code >= 97 && code <= 122
const isDigit = (code: number) => code >= 48 && code <= 57

/**
 * Returns at most 500 points for letters that occur in order with gaps; undefined if they do not. It takes
 * their first occurrence and shortens it backward from its end, as fzf's first algorithm does. Letters at the
 * beginning of parts and adjacent letters count more.
 */
function scoreSubsequence(word: string, folded: string, path: string, from: number): PathScore | undefined {
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

interface RankedItem<T> {
  item: T
  score: PathScore
}

/**
 * Collects the `limit` items with the highest scores, without storing all items. Items with equal scores are
 * in byte order of `key`.
 */
export function collectBest<T>(limit: number, key: (item: T) => string) {
  let bestItems: RankedItem<T>[] = []
  let bar: RankedItem<T> | undefined
  const order = (a: RankedItem<T>, b: RankedItem<T>) =>
    b.score - a.score || (key(a.item) < key(b.item) ? -1 : 1)
  const settle = () => {
    bestItems.sort(order)
    bestItems = bestItems.slice(0, limit)
    if (bestItems.length === limit) bar = bestItems.at(-1)
  }
  return {
    add(item: T, score: PathScore) {
      if (bar && order({ item, score }, bar) > 0) return
      bestItems.push({ item, score })
      if (bestItems.length >= limit * 2 + 256) settle()
    },
    ranked(): RankedItem<T>[] {
      settle()
      return bestItems
    },
  }
}
