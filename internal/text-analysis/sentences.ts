// Division of prose with wrapped lines into sentences.

/** A sentence, with the indices of its first and last line. */
export interface LineSentence {
  text: string
  from: number
  to: number
  /**
   * Whether the sentence begins at the start of its first line (`beginsLine`), and ends at the end of its
   * last line (`endsLine`).
   */
  beginsLine: boolean
  endsLine: boolean
}

/** Matches the beginning of a separate unit: a list item, a title, a row, a fence, a tag, a directive. */
const opening = new RegExp(
  String.raw`^\s*(?:[-*+•]\s|\d{1,3}[.)]\s|#{1,6}\s|\||\x60{3}|~~~|\/\*|@|\.\.\s|:{3}|` +
    String.raw`<\/?(?:p|li|tr|dt|h\d|aside|div|ul|ol)\b)`,
)

/** Returns true if this line cannot continue a sentence of the previous line. */
const opensUnit = (line: string): boolean => opening.test(line)

/**
 * Matches the gap after a mark that ends a sentence. No lowercase letter may follow, and `e.g.` ends no
 * sentence. In Chinese and Japanese no space follows the mark.
 */
const gap = new RegExp(
  String.raw`(?<=[.!?।؟۔]["'”’)\]*_\x60]*)(?<!\b(?:e\.g|i\.e|cf|vs|etc|approx|resp)\.)\s+(?=[^\s\p{Ll}])|` +
    '(?<=[。！？][”’」』）]*)(?![。！？”’」』）\\s]|$)',
  'gu',
)

/**
 * Returns the sentences. A blank line, or a line that begins an item, a title or a row, ends
 * the previous sentence.
 */
export function sentencesOfLines(lines: readonly string[]): LineSentence[] {
  const out: LineSentence[] = []
  let from = 0
  for (let i = 0; i <= lines.length; i++) {
    const line = lines[i]
    const isOver = line === undefined || line.trim() === '' || opensUnit(line)
    if (isOver) {
      if (i > from) out.push(...sentencesOfUnit(lines.slice(from, i), from))
      from = line !== undefined && line.trim() === '' ? i + 1 : i
    }
  }
  return out
}

/** Returns the sentences in lines that are all one paragraph or list item. */
function sentencesOfUnit(lines: readonly string[], first: number): LineSentence[] {
  const starts: number[] = []
  let text = ''
  for (const line of lines) {
    if (text !== '') text += ' '
    starts.push(text.length)
    text += line.trim()
  }
  const lineAt = (at: number) => starts.findLastIndex((start) => start <= at)
  const cuts = [...text.matchAll(gap)]
  const bounds = [0, ...cuts.map(({ index, 0: blank }) => index + blank.length)]
  return bounds.flatMap((begin, i): LineSentence[] => {
    const end = cuts[i]?.index ?? text.length
    if (end <= begin) return []
    const from = lineAt(begin)
    const to = lineAt(end - 1)
    const lineEnd = (starts[to + 1] ?? text.length + 1) - 1
    return [
      {
        text: text.slice(begin, end),
        from: first + from,
        to: first + to,
        beginsLine: starts[from] === begin,
        endsLine: end === lineEnd,
      },
    ]
  })
}
