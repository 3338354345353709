// Whether a passage stands under a title, or in a file by the name, of just what is asked about.
import { isSmallWord, type QuestionLanguage } from '../language.ts'

/** A title, or the name of a file, with what it holds of a question. */
export interface TitleCount {
  /** How often each term stands in it. */
  counts: Float32Array
  /** Words of it that say something. */
  words: number
  /** What it says of the passage: all for a file's name and its first title, less for a further one. */
  worth: number
}

/** A section is a part of a page that is about something wider. */
const sectionWorth = 0.7

/** Names of files that are about the folder they lie in. */
const namedByFolder = /^(?:readme|index|main|mod|__init__|overview|introduction)$/i

/** What a file calls itself by its place: its name without number and ending, or that of its folder. */
function nameOfFile(path: string): string {
  const parts = path.split('/')
  const bare = (parts.at(-1) ?? '').replace(/(?:\.[\w-]+){1,2}$/, '').replace(/^\d+[-_. ]+/, '')
  return namedByFolder.test(bare) ? (parts.at(-2) ?? '') : bare
}

/** The result gives the titles of a passage that hold any term, by its heading; each is counted once. */
export function createTitleCounter(
  path: string,
  language: QuestionLanguage,
  countWords: (text: string) => Float32Array | undefined,
): (heading: string) => readonly TitleCount[] {
  const name = countTitle(nameOfFile(path), 1)
  const known = new Map<string, readonly TitleCount[]>()

  function countTitle(title: string, worth: number): TitleCount | undefined {
    const counts = countWords(title)
    if (!counts) return undefined
    const words = (title.match(/\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}+|\p{N}+/gu) ?? []).filter(
      (word) => !isSmallWord(word.toLowerCase(), language),
    )
    return { counts, words: Math.max(1, words.length), worth }
  }

  return (heading) => {
    let titles = known.get(heading)
    if (!titles) {
      const own = heading.split(' > ').map((title, i) => countTitle(title, i === 0 ? 1 : sectionWorth))
      titles = [name, ...own].filter((one) => one !== undefined)
      known.set(heading, titles)
    }
    return titles
  }
}

/**
 * From 0 to 1: how much of the question the best of the titles names, times how much of that title is
 * asked about.
 */
export function titleShare(titles: readonly TitleCount[], weights: readonly number[]): number {
  const all = weights.reduce((sum, one) => sum + one, 0)
  if (all === 0) return 0
  let best = 0
  for (const { counts, words, worth } of titles) {
    let held = 0
    let terms = 0
    for (const [i, weight] of weights.entries()) {
      const share = Math.min(1, counts[i] ?? 0)
      held += weight * share
      terms += share
    }
    best = Math.max(best, (held / all) * Math.min(1, terms / words) * worth)
  }
  return best
}
