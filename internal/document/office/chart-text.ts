// The numbers of a chart in an Office file, as lines of text: its title, then a row for each category.
import { type MarkupHandler, parseMarkup } from '../markup-events.ts'
import type { ReadingBudget } from '../reading-budget.ts'
import type { ZipArchive } from '../zip-archive.ts'
import { localName } from './office-parts.ts'

interface ChartSeries {
  name: string
  categories: Map<number, string>
  values: Map<number, string>
}

/** Points of a series that are shown. */
const maxPoints = 5_000

/** Empty for a part that is missing or has no numbers. */
export async function readChartLines(
  zip: ZipArchive,
  part: string,
  budget: ReadingBudget,
): Promise<string[]> {
  const stream = await zip.stream(part)
  if (!stream) return []
  const chart = new ChartReader(budget.grow)
  await parseMarkup(stream, 'xml', chart, budget)
  const title = chart.title.replace(/\s+/g, ' ').trim()
  const rows = rowsOf(chart.series)
  return title === '' && rows.length === 0 ? [] : [`Chart${title && `: ${title}`}`, ...rows]
}

/** Series with the same categories share their rows. */
function rowsOf(series: readonly ChartSeries[]): string[] {
  const rows = new Map<string, string[]>()
  for (const [i, { name, categories, values }] of series.entries())
    for (const [at, value] of values) {
      const category = categories.get(at) ?? series[0]?.categories.get(at) ?? `${at + 1}`
      const cells = rows.get(category) ?? []
      rows.set(category, cells)
      cells.push(`${name.trim() || `series ${i + 1}`}: ${value}`)
    }
  return [...rows].map(([category, cells]) => `${category}: ${cells.join('; ')}`)
}

class ChartReader implements MarkupHandler {
  title = ''
  readonly series: ChartSeries[] = []
  readonly #grow: ReadingBudget['grow']
  #part: 'name' | 'categories' | 'values' | undefined
  #inSeries = false
  #inTitle = 0
  #index = 0
  #text: string | undefined

  constructor(grow: ReadingBudget['grow']) {
    this.#grow = grow
  }

  open(raw: string, attributes: Readonly<Record<string, string>>): void {
    const name = localName(raw)
    if (name === 'ser') {
      this.#inSeries = true
      this.series.push({ name: '', categories: new Map(), values: new Map() })
    } else if (name === 'title') this.#inTitle++
    else if (this.#inSeries && name in partNames) this.#part = partNames[name]
    else if (name === 'pt') this.#index = Number(attributes['idx'] ?? 0)
    else if (name === 'v' || name === 't') this.#text = ''
  }

  text(text: string): void {
    if (this.#text !== undefined) this.#text = this.#grow(this.#text, text)
  }

  close(raw: string): void {
    const name = localName(raw)
    if (name === 'ser') this.#inSeries = false
    else if (name === 'title') this.#inTitle--
    else if (name in partNames) this.#part = undefined
    else if ((name === 'v' || name === 't') && this.#text !== undefined) {
      this.#put(this.#text)
      this.#text = undefined
    } else if (name === 'p' && this.#inTitle > 0) this.title += ' '
  }

  #put(text: string): void {
    if (this.#inTitle > 0) {
      this.title = this.#grow(this.title, text)
      return
    }
    const series = this.series.at(-1)
    if (!series || !this.#inSeries || this.#part === undefined) return
    if (this.#part === 'name') series.name = this.#grow(series.name, text)
    else if (series[this.#part].size < maxPoints)
      series[this.#part].set(this.#index, this.#part === 'values' ? plainNumber(text) : text)
  }
}

/** The long form of a binary fraction is not what a chart shows. */
const plainNumber = (text: string) =>
  /^-?\d+\.\d{12,}(?:E[-+]?\d+)?$/i.test(text) ? String(Number(Number(text).toPrecision(12))) : text

const partNames: Readonly<Record<string, 'name' | 'categories' | 'values'>> = {
  tx: 'name',
  cat: 'categories',
  xVal: 'categories',
  val: 'values',
  yVal: 'values',
}
