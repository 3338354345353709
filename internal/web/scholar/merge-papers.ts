// The merging of papers from several engines into one entry per work. A work is identified by its DOI, or by
// title and first author.
import type { ScholarPaper } from './scholar-paper.ts'

/**
 * Returns each work once, in the order of the first occurrence. A field that one engine does not know comes
 * from the next engine; the number of citations is the highest of all.
 */
export function mergePapers(papers: readonly ScholarPaper[]): ScholarPaper[] {
  const merged: ScholarPaper[] = []
  const indexByKey = new Map<string, number>()
  for (const paper of papers) {
    const keys = keysOf(paper)
    const at = keys.map((key) => indexByKey.get(key)).find((index) => index !== undefined) ?? merged.length
    const before = merged[at]
    const joined = before ? joinPapers(before, paper) : paper
    merged[at] = joined
    for (const key of [...keys, ...keysOf(joined)]) if (!indexByKey.has(key)) indexByKey.set(key, at)
  }
  return merged
}

/**
 * Smallest number of letters and digits of a title that identifies a work together with its first author.
 * Many works may have the same short title (`Introduction`).
 */
const minTitleChars = 12

function keysOf({ doi, title, authors }: ScholarPaper): string[] {
  const plain = foldName(title)
  const family = foldName(authors[0]?.split(/\s+/).at(-1) ?? '')
  return [
    ...(doi === null ? [] : [`doi ${doi}`]),
    ...(plain.length < minTitleChars || family === '' ? [] : [`title ${plain} ${family}`]),
  ]
}

/** Returns only the letters and digits of a text, without accents and in lower case. */
const foldName = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

function joinPapers(a: ScholarPaper, b: ScholarPaper): ScholarPaper {
  const highest = Math.max(a.citations ?? -1, b.citations ?? -1)
  return {
    title: a.title,
    authors: a.authors.length > 0 ? a.authors : b.authors,
    venue: a.venue ?? b.venue,
    year: a.year ?? b.year,
    citations: highest < 0 ? null : highest,
    abstract: a.abstract ?? b.abstract,
    pdf: a.pdf ?? b.pdf,
    link: a.link ?? b.link,
    doi: a.doi ?? b.doi,
    sources: [...new Set([...a.sources, ...b.sources])],
  }
}
