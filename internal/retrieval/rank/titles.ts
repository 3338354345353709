// Match of a question with the titles of a passage, the names that the passage defines, and the name
// of its file.
import { isSmallWord, type QuestionLanguage } from '../language.ts'

/** The name of a file, a title or the name of a definition that contains words of the question. */
export interface TitleCount {
  /** Number of occurrences by the index of the term in the question. A synonym counts less than 1. */
  counts: Float32Array
  /** Number of content words in the title, at least 1. */
  words: number
  /**
   * Weight of the title for the passage: 1 for the file's name, the first title in the heading and names of
   * definitions, `sectionWorth` for the other titles in the heading.
   */
  worth: number
}

/**
 * Weight of each title after the first one in a heading, because such a section is a part of a page about
 * a wider subject.
 */
const sectionWorth = 0.7

/** Matches names of files that describe their directory. */
const namedByFolder = /^(?:readme|index|main|mod|__init__|overview|introduction)$/i

/**
 * Returns the subject of a file by its path: the file's name without leading number and extension. For
 * a name such as `readme` or `index`, returns the name of its directory, or an empty text if the path
 * has no directory.
 */
function nameOfFile(path: string): string {
  const parts = path.split('/')
  const bare = (parts.at(-1) ?? '').replace(/(?:\.[\w-]+){1,2}$/, '').replace(/^\d+[-_. ]+/, '')
  return namedByFolder.test(bare) ? (parts.at(-2) ?? '') : bare
}

/**
 * Returns a function that takes the heading of a passage and the names that it defines, separated by
 * spaces. It returns counts for the file's name, each title in the heading and each name, if they contain
 * terms, and caches them.
 */
export function createTitleCounter(
  path: string,
  language: QuestionLanguage,
  countWords: (text: string) => Float32Array | undefined,
): (heading: string, names: string) => readonly TitleCount[] {
  const name = countTitle(nameOfFile(path), 1)
  const titleCache = new Map<string, readonly TitleCount[]>()

  function countTitle(title: string, worth: number): TitleCount | undefined {
    const counts = countWords(title)
    if (!counts) return undefined
    const words = (title.match(/\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}+|\p{N}+/gu) ?? []).filter(
      (word) => !isSmallWord(word.toLowerCase(), language),
    )
    return { counts, words: Math.max(1, words.length), worth }
  }

  return (heading, names) => {
    const key = `${heading}\n${names}`
    let titles = titleCache.get(key)
    if (!titles) {
      const headingTitles = heading
        .split(' > ')
        .map((title, i) => countTitle(title, i === 0 ? 1 : sectionWorth))
      const defined = countWords(names) ? names.split(' ').map((one) => countTitle(one, 1)) : []
      titles = [name, ...headingTitles, ...defined].filter((one) => one !== undefined)
      titleCache.set(key, titles)
    }
    return titles
  }
}

/**
 * Returns the best match of a title, from 0 to 1. It is a product of three factors: how much of the
 * question's weight the title has, which share of the title's words the question has, and the weight
 * of the title.
 */
export function titleShare(titles: readonly TitleCount[], weights: readonly number[]): number {
  const all = weights.reduce((sum, one) => sum + one, 0)
  if (all === 0) return 0
  let best = 0
  for (const { counts, words, worth } of titles) {
    let heldWeight = 0
    let terms = 0
    for (const [i, weight] of weights.entries()) {
      const share = Math.min(1, counts[i] ?? 0)
      heldWeight += weight * share
      terms += share
    }
    best = Math.max(best, (heldWeight / all) * Math.min(1, terms / words) * worth)
  }
  return best
}
