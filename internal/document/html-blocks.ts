// Blocks of an HTML page: headings, paragraphs, list items, table rows; scripts, styles and menus are left
// out.
import { type BlockList, formatRow, isoDate, namesColumns } from './block-list.ts'
import { type MarkupHandler, parseMarkup } from './markup-events.ts'
import type { ReadingBudget } from './reading-budget.ts'

interface HtmlFacts {
  title?: string
  date?: string
}

const skipped = new Set(
  'script style noscript template svg math iframe object select button nav head'.split(' '),
)
const blocks = new Set(
  (
    'p div li dt dd ul ol dl h1 h2 h3 h4 h5 h6 pre blockquote section article header footer main ' +
    'aside figure figcaption table tr caption thead tbody address hr body details summary'
  ).split(' '),
)
const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
const dateNames =
  /^(?:article:published_time|dc(?:terms)?\.(?:date|created|issued)|citation_publication_date|date)$/i

/** Adds what `page` says to `list`; each block has the next `place`. */
export async function readHtmlBlocks(
  page: string | AsyncIterable<Uint8Array>,
  list: BlockList,
  place: () => string,
  budget: ReadingBudget,
  form: 'html' | 'xml' = 'html',
): Promise<HtmlFacts> {
  const reader = new HtmlReader(list, place)
  await parseMarkup(page, form, reader, budget)
  reader.flush()
  return reader.facts()
}

/** Collects text until a block begins or ends. */
class HtmlReader implements MarkupHandler {
  private text_ = ''
  private title = ''
  private date: string | undefined
  private inTitle = false
  private pre = 0
  /** Open elements below the one that is skipped, itself included. */
  private skip = 0
  private level: number | undefined
  private columns: string[] | undefined
  private rows = 0
  private cells: { text: string; head: boolean }[] | undefined

  private readonly list: BlockList
  private readonly place: () => string

  constructor(list: BlockList, place: () => string) {
    this.list = list
    this.place = place
  }

  open(raw: string, attributes: Readonly<Record<string, string>>): void {
    const name = raw.toLowerCase()
    if (name === 'title' && this.title === '') this.inTitle = true
    if (name === 'meta') this.takeMeta(attributes)
    if (name === 'time') this.date ??= isoDate(attributes['datetime'])
    if (this.skip > 0) {
      if (!voids.has(name)) this.skip++
      return
    }
    if (skipped.has(name) || 'hidden' in attributes) {
      if (!voids.has(name)) this.skip = 1
      return
    }
    if (name === 'br') this.text_ += '\n'
    if (name === 'img' && attributes['alt']) this.text_ += ` ${attributes['alt']} `
    if (name === 'td' || name === 'th') this.openCell(name)
    else if (blocks.has(name) && !this.cells) this.flush()
    if (name === 'pre') this.pre++
    if (name === 'table' && !this.cells) [this.columns, this.rows] = [undefined, 0]
    if (/^h[1-6]$/.test(name) && !this.cells) this.level = Number(name[1])
    if (name === 'tr') this.cells = []
  }

  text(text: string): void {
    if (this.inTitle && this.title.length < 1_000) this.title += text
    if (this.skip > 0) return
    const shown = this.pre > 0 ? text : text.replace(/\s+/g, ' ')
    const cell = this.cells?.at(-1)
    if (cell) cell.text = this.list.grow(cell.text, shown)
    else this.text_ = this.list.grow(this.text_, shown)
  }

  close(raw: string): void {
    const name = raw.toLowerCase()
    if (name === 'title') this.inTitle = false
    if (this.skip > 0) {
      if (!voids.has(name)) this.skip--
      return
    }
    if (name === 'pre' && this.pre > 0) {
      if (!this.cells) this.flush()
      this.pre--
    }
    if (name === 'tr' || name === 'table') this.closeRow()
    else if (blocks.has(name) && !this.cells) this.flush()
    else if (blocks.has(name)) this.text(' ')
  }

  flush(): void {
    const { text_: text, level } = this
    this.text_ = ''
    this.level = undefined
    this.list.add(text, this.place, level)
  }

  facts(): HtmlFacts {
    const title = this.title.replace(/\s+/g, ' ').trim()
    return { ...(title !== '' && { title }), ...(this.date !== undefined && { date: this.date }) }
  }

  private openCell(name: string): void {
    this.cells ??= []
    this.cells.push({ text: '', head: name === 'th' })
  }

  private closeRow(): void {
    const { cells } = this
    this.cells = undefined
    if (!cells || cells.length === 0) return
    const texts = cells.map(({ text }) => text)
    const isHead = this.rows === 0 && (cells.every(({ head }) => head) || namesColumns(texts))
    this.rows++
    if (isHead && cells.length > 1) this.columns = texts
    this.list.add(formatRow(texts, isHead ? undefined : this.columns), this.place)
  }

  private takeMeta({ name, property, content }: Readonly<Record<string, string>>): void {
    if (dateNames.test(name ?? property ?? '')) this.date ??= isoDate(content?.replaceAll('/', '-'))
  }
}
