// Answers of numbered words in Markdown, as the pieces in which a model server sends them.

export type WordKind = 'prose' | 'lists' | 'tables' | 'code' | 'mixed'

/** The texts before each row, between its words, and after it. */
type RowFrame = readonly [before: string, between: string, after: string]

/**
 * Returns `count` numbered words in blocks of one kind, or of all kinds. Some blocks are taller than a
 * terminal, and some rows are wider.
 */
export function wordPieces(kind: WordKind, count: number, random: () => number): string[] {
  const pieces: string[] = []
  const upTo = (least: number, most: number) => least + Math.floor(random() * (most - least + 1))
  const addRows = (rows: number, width: number, [before, between, after]: RowFrame) => {
    for (let i = 0; i < rows * width && pieces.length < count; i++) {
      const isLast = i % width === width - 1
      pieces.push(`${i % width === 0 ? before : between}word${pieces.length}${isLast ? after : ''}`)
    }
  }
  /** Adds a text to the last word. */
  const add = (text: string) => pieces.push(`${pieces.pop() ?? ''}${text}`)
  const blocks = {
    prose: () => addRows(1, random() < 0.3 ? upTo(60, 200) : upTo(2, 40), ['', ' ', '']),
    lists() {
      const marks = ['- ', '1. ', '- [ ] ', '- a\n  - ']
      addRows(upTo(4, 40), random() < 0.5 ? upTo(1, 4) : upTo(5, 20), [pick(marks), ' ', '\n'])
    },
    tables() {
      // The words of more columns would be broken on a narrow terminal.
      const columns = upTo(2, 3)
      const cells = Array.from({ length: columns }, () => ' |').join(' h')
      add(`| h${cells}\n|${'---|'.repeat(columns)}\n`)
      addRows(upTo(4, 30), columns, ['| ', ' | ', ' |\n'])
    },
    code() {
      // A line of more words would be broken inside of a word on a narrow terminal.
      add('```js\n')
      addRows(upTo(4, 60), upTo(1, 4), ['', ' ', '\n'])
      add('```\n')
    },
  }
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  addRows(1, 12, ['', ' ', '\n\n'])
  while (pieces.length < count) {
    const block = kind === 'mixed' ? pick(Object.values(blocks)) : blocks[kind]
    block()
    add('\n\n')
  }
  return pieces
}
