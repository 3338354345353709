// Plain BM25 over paragraphs: what one search without any of our rules finds, at the same length.

interface ParagraphFile {
  path: string
  text: string
}

interface RankedParagraph {
  path: string
  text: string
  score: number
}

/** The usual constants (Robertson and Zaragoza 2009). */
const k1 = 1.2
const b = 0.75

/**
 * The best paragraphs for the whole question, best first, until `letters` are used up; the last one is cut
 * there. Paragraphs end at an empty line; words are letters and digits in lower case, without stemming or
 * stop words.
 * Ties go by path, then by place in the file.
 */
export function rankParagraphsBm25(
  files: Iterable<ParagraphFile>,
  question: string,
  letters: number,
): RankedParagraph[] {
  const wanted = [...new Set(wordsOf(question))]
  const frequency = new Map<string, number>(wanted.map((word) => [word, 0]))
  const found: { path: string; text: string; counts: Map<string, number>; length: number }[] = []
  let paragraphs = 0
  let total = 0
  for (const { path, text } of files) {
    for (const paragraph of text.split(/\n[ \t]*\r?\n/)) {
      const words = wordsOf(paragraph)
      if (words.length === 0) continue
      paragraphs++
      total += words.length
      const counts = countWords(words, frequency)
      for (const word of counts.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1)
      if (counts.size > 0) found.push({ path, text: paragraph.trim(), counts, length: words.length })
    }
  }
  const mean = total / Math.max(1, paragraphs)
  const ranked = found.map(({ path, text, counts, length }) => {
    let score = 0
    for (const [word, count] of counts) {
      const holding = frequency.get(word) ?? 0
      const rarity = Math.log(1 + (paragraphs - holding + 0.5) / (holding + 0.5))
      score += (rarity * count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / mean))
    }
    return { path, text, score }
  })
  // equal scores stay in the order of files and places
  ranked.sort((one, other) => other.score - one.score)
  return cutAt(ranked, letters)
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

function countWords(words: readonly string[], wanted: ReadonlyMap<string, unknown>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) if (wanted.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

function cutAt(ranked: readonly RankedParagraph[], letters: number): RankedParagraph[] {
  const taken: RankedParagraph[] = []
  let left = letters
  for (const one of ranked) {
    if (left <= 0) break
    taken.push({ ...one, text: one.text.slice(0, left) })
    left -= one.text.length
  }
  return taken
}
