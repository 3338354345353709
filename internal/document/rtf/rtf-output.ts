// Paragraphs, table rows and separate texts of an RTF file, such as notes, comments and headers, as blocks.
import { type BlockList, formatRow, namesColumns } from '../block-list.ts'

interface OpenText {
  /** Text at the beginning of the block, such as `Header: `; empty for the text of the document itself. */
  label: string
  text: string
  cells: string[]
  columns: string[] | undefined
  /** Number of rows of the open table so far. */
  rows: number
  blocks: { text: string; level: number | undefined }[]
}

const openText = (label: string): OpenText => ({
  label,
  text: '',
  cells: [],
  columns: undefined,
  rows: 0,
  blocks: [],
})

export class RtfOutput {
  /** Author of the next comment. */
  author = ''
  readonly #list: BlockList
  readonly #open: OpenText[] = [openText('')]
  readonly #waiting: string[] = []
  readonly #heads = new Set<string>()
  #footnotes = 0

  constructor(list: BlockList) {
    this.#list = list
  }

  readonly place = (): string => `paragraph ${this.#list.blocks.length + 1}`

  put(text: string): void {
    this.#top.text = this.#list.grow(this.#top.text, text)
  }

  beginAside(label: string): void {
    const isNote = label === '[^] '
    if (isNote) this.put(`[^${++this.#footnotes}]`)
    this.#open.push(openText(isNote ? `[^${this.#footnotes}] ` : label))
  }

  endAside(): void {
    this.endParagraph(false, undefined)
    const { label, blocks } = this.#open.pop() ?? openText('')
    const text = blocks.map((block) => block.text).join('\n')
    if (text === '') return
    const isSigned = label === 'Comment: ' && this.author !== ''
    const named = isSigned ? `Comment by ${this.author}: ` : label
    if (isSigned) this.author = ''
    if (/^(?:Header|Footer)/.test(label)) this.#heads.add(named + text)
    else this.#waiting.push(named + text)
  }

  endParagraph(isInTable: boolean, level: number | undefined): void {
    const top = this.#top
    if (isInTable) {
      this.put('\n')
      return
    }
    if (top.cells.length > 0) this.endRow()
    top.columns = undefined
    top.rows = 0
    this.#add(top.text, level)
    top.text = ''
  }

  endCell(): void {
    this.#top.cells.push(this.#top.text.trim())
    this.#top.text = ''
  }

  endRow(): void {
    const top = this.#top
    const isHead = top.rows++ === 0 && namesColumns(top.cells)
    if (isHead) top.columns = top.cells
    this.#add(formatRow(top.cells, isHead ? undefined : top.columns), undefined)
    top.cells = []
  }

  /** Adds the open text, then the headers and footers, each once. */
  end(): void {
    while (this.#open.length > 1) this.endAside()
    this.endParagraph(false, undefined)
    for (const text of this.#heads) this.#list.add(text, this.place)
  }

  get #top(): OpenText {
    return this.#open.at(-1) as OpenText
  }

  #add(text: string, level: number | undefined): void {
    if (this.#open.length > 1) {
      if (text.trim() !== '') this.#top.blocks.push({ text: text.trim(), level })
      return
    }
    this.#list.add(text, this.place, level)
    for (const aside of this.#waiting.splice(0)) this.#list.add(aside, this.place)
  }
}
