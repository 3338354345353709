// A chart of an OpenDocument file: its titles, then a line for each category, from the table in it.
import type { MarkupHandler, TagAttributes } from '../markup-events.ts'
import type { ReadingBudget } from '../reading-budget.ts'
import type { OpenObject } from './open-object.ts'
import { countOf } from './open-tables.ts'

export class OpenChart implements MarkupHandler {
  readonly #titles: string[] = []
  readonly #rows: string[][] = []
  /** Number of open titles. Text outside of titles and cells, such as that of a style, is not shown. */
  #title = 0
  #cell: { text: string; count: number; value: string } | undefined
  readonly #grow: ReadingBudget['grow']

  constructor({ grow }: ReadingBudget) {
    this.#grow = grow
  }

  open(name: string, attributes: TagAttributes): void {
    if (isTitle(name)) {
      this.#title++
      this.#titles.push('')
    } else if (name === 'table:table-row') this.#rows.push([])
    else if (name === 'table:table-cell') {
      const count = Math.min(1_000, countOf(attributes['table:number-columns-repeated']))
      this.#cell = { text: '', count, value: attributes['office:value'] ?? '' }
    }
  }

  text(text: string): void {
    if (this.#cell) this.#cell.text = this.#grow(this.#cell.text, text)
    else if (this.#title > 0) this.#titles.push(this.#grow(this.#titles.pop() ?? '', text))
  }

  close(name: string): void {
    if (isTitle(name)) this.#title--
    if (name !== 'table:table-cell' || !this.#cell) return
    const { text, count, value } = this.#cell
    const cellText = text.replace(/\s+/g, ' ').trim() || value
    for (let i = 0; i < count; i++) this.#rows.at(-1)?.push(/nan$/i.test(cellText) ? '' : cellText)
    this.#cell = undefined
  }

  finish(): OpenObject {
    const title = this.#titles.join(' ').replace(/\s+/g, ' ').trim()
    const [names = [], ...rows] = this.#rows
    const lines = rows.map(([category = '', ...values], i) => {
      const cells = values.map((value, at) => (value === '' ? '' : `${nameOf(names, at)}: ${value}`))
      return `${category || i + 1}: ${cells.filter((cell) => cell !== '').join('; ')}`
    })
    return { kind: 'chart', lines: [`Chart${title && `: ${title}`}`, ...lines] }
  }
}

const isTitle = (name: string) => name === 'chart:title' || name === 'chart:subtitle'

const nameOf = (names: readonly string[], at: number) => names[at + 1] || `series ${at + 1}`
