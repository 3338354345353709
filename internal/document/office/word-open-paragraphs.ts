// Open paragraphs of WordprocessingML, with their text, heading level and list position.
import type { ReadingBudget } from '../reading-budget.ts'
import type { ListItemPlace } from './word-numbering.ts'

interface WordParagraph {
  text: string
  level: number | undefined
  /** Place in a list that the paragraph itself names. The style in `style` may name another place. */
  list: ListItemPlace
  style: string | undefined
}

/**
 * Paragraphs that are open at one position of a document, because a text box is a paragraph within a
 * paragraph. Outside of paragraphs, changes have no effect.
 */
export class OpenParagraphs {
  readonly #paragraphs: WordParagraph[] = []
  readonly #grow: ReadingBudget['grow']

  constructor(grow: ReadingBudget['grow']) {
    this.#grow = grow
  }

  get isEmpty(): boolean {
    return this.#paragraphs.length === 0
  }

  /** Text of the innermost paragraph so far; empty outside of paragraphs. */
  get text(): string {
    return this.#paragraphs.at(-1)?.text ?? ''
  }

  open(): void {
    this.#paragraphs.push({ text: '', level: undefined, list: {}, style: undefined })
  }

  /** Ends the innermost paragraph and returns it; undefined outside of paragraphs. */
  close(): WordParagraph | undefined {
    return this.#paragraphs.pop()
  }

  put(text: string): void {
    const current = this.#paragraphs.at(-1)
    if (current) current.text = this.#grow(current.text, text)
  }

  cutTo(length: number): void {
    const current = this.#paragraphs.at(-1)
    if (current) current.text = current.text.slice(0, length)
  }

  /** Sets the heading level. Level 10, which is body text, and an undefined level change nothing. */
  setLevel(level: number | undefined): void {
    const current = this.#paragraphs.at(-1)
    if (current && level !== undefined && level <= 9) current.level = level
  }

  setList({ list, style }: { list?: ListItemPlace; style?: string }): void {
    const current = this.#paragraphs.at(-1)
    if (!current) return
    Object.assign(current.list, list)
    if (style !== undefined) current.style = style
  }
}
