// The numbers of a chart in an Office file, as lines of text: its title, then a row for each category.
import { type MarkupHandler, parseMarkup } from '../markup-events.ts'
import type { ReadingBudget } from '../reading-budget.ts'
import type { ZipArchive } from '../zip-archive.ts'
import { type CellFormat, readFormatCode, showNumber } from './cell-format.ts'
import { localName } from './office-parts.ts'

interface ChartPoints {
  /**
   * Texts by index, one map for each level. Of categories in several levels, the innermost level is first.
   */
  levels: Map<number, string>[]
  format: CellFormat | undefined
}

interface ChartSeries {
  name: string
  categories: ChartPoints
  values: ChartPoints
  sizes: ChartPoints
  /** Labels that the author has written, by the index of the point. */
  labels: Map<number, string>
}

type PartName = 'name' | 'categories' | 'values' | 'sizes'

/** Largest number of points of a series that are shown; further points are skipped. */
const maxPoints = 5_000

/**
 * Returns the title and the rows of a chart; empty for a part that is missing or has neither a
 * title nor numbers.
 */
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

/**
 * Returns one row for each category that has values, with the values of all series. A point without a
 * category has that of the first series, or else counts under its index, from 1.
 */
function rowsOf(series: readonly ChartSeries[]): string[] {
  const rows = new Map<string, string[]>()
  for (const [i, { name, categories, values, sizes, labels }] of series.entries())
    for (const [at, value] of values.levels[0] ?? []) {
      const category = categoryAt(categories, at) ?? (series[0] && categoryAt(series[0].categories, at))
      const key = `${category ?? at + 1}`
      const cells = rows.get(key) ?? []
      rows.set(key, cells)
      const size = sizes.levels[0]?.get(at)
      const label = labels.get(at)?.replace(/\s+/g, ' ').trim()
      const notes = [size === undefined ? '' : ` (size ${size})`, label ? ` (${label})` : ''].join('')
      cells.push(`${name.trim() || `series ${i + 1}`}: ${showPoint(value, values.format)}${notes}`)
    }
  return [...rows].map(([category, cells]) => `${category}: ${cells.join('; ')}`)
}

/**
 * Returns the category at an index, outer levels first: `2024, spring`; undefined without one. An outer level
 * has a point only where its text changes.
 */
function categoryAt({ levels, format }: ChartPoints, at: number): string | undefined {
  const inner = levels[0]?.get(at)
  if (inner === undefined) return undefined
  const outer = levels
    .slice(1)
    .map((level) => level.get(Math.max(...[...level.keys()].filter((n) => n <= at))))
  return [...outer.reverse(), showPoint(inner, format)].filter((part) => part !== undefined).join(', ')
}

const showPoint = (text: string, format: CellFormat | undefined) =>
  /^-?(?:\d+\.?\d*|\.\d+)(?:E[-+]?\d+)?$/i.test(text) ? showNumber(text, format, false) : text

const emptySeries = (): ChartSeries => ({
  name: '',
  categories: noPoints(),
  values: noPoints(),
  sizes: noPoints(),
  labels: new Map(),
})
const noPoints = (): ChartPoints => ({ levels: [], format: undefined })

class ChartReader implements MarkupHandler {
  title = ''
  readonly series: ChartSeries[] = []
  readonly #grow: ReadingBudget['grow']
  /** Names of the open elements. */
  readonly #path: string[] = []
  #part: PartName | undefined
  #index = 0
  #text: string | undefined

  constructor(grow: ReadingBudget['grow']) {
    this.#grow = grow
  }

  open(raw: string, attributes: Readonly<Record<string, string>>): void {
    const name = localName(raw)
    const parent = this.#path.at(-1)
    this.#path.push(name)
    if (name === 'ser') this.series.push(emptySeries())
    // labels, error bars and trend lines have elements of the same names, so the parent must be a series
    else if (parent === 'ser' && name in partNames) this.#part = partNames[name]
    else if (name === 'lvl' || /^(?:num|str)(?:Cache|Lit)$/.test(name)) this.#points?.levels.push(new Map())
    else if (name === 'pt') this.#index = Number(attributes['idx'] ?? 0)
    else if (name === 'idx' && parent === 'dLbl') this.#index = Number(attributes['val'] ?? 0)
    else if (name === 'v' || name === 't' || name === 'formatCode') this.#text = ''
  }

  text(text: string): void {
    if (this.#text !== undefined) this.#text = this.#grow(this.#text, text)
  }

  close(raw: string): void {
    const name = localName(raw)
    this.#path.pop()
    const isPart = this.#path.at(-1) === 'ser' && name in partNames
    if (isPart) this.#part = undefined
    else if (this.#text !== undefined && (name === 'v' || name === 't')) this.#put(this.#text)
    else if (this.#text !== undefined && name === 'formatCode' && this.#points)
      this.#points.format = readFormatCode(this.#text)
    else if (name === 'p' && this.#path.includes('title')) this.title += ' '
    else return
    this.#text = undefined
  }

  get #points(): ChartPoints | undefined {
    const series = this.series.at(-1)
    return this.#part === undefined || this.#part === 'name' ? undefined : series?.[this.#part]
  }

  #put(text: string): void {
    const series = this.series.at(-1)
    if (this.#path.includes('title')) this.title = this.#grow(this.title, text)
    else if (this.#path.includes('dLbl'))
      series?.labels.set(this.#index, this.#grow(series.labels.get(this.#index) ?? '', text))
    else if (series && this.#part === 'name') series.name = this.#grow(series.name, text)
    else if (this.#points) {
      if (this.#points.levels.length === 0) this.#points.levels.push(new Map())
      const level = this.#points.levels.at(-1)
      if (level && level.size < maxPoints) level.set(this.#index, text)
    }
  }
}

const partNames: Readonly<Record<string, PartName>> = {
  tx: 'name',
  cat: 'categories',
  xVal: 'categories',
  val: 'values',
  yVal: 'values',
  bubbleSize: 'sizes',
}
