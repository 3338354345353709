// Blocks of an HTML page: headings, paragraphs, list items, table rows. Parts such as scripts, styles, menus
// and hidden elements are left out.
import { type BlockList, isoDate } from './block-list.ts'
import { HtmlTables } from './html-tables.ts'
import { decodeNamedEntities, type MarkupHandler, parseMarkup } from './markup-events.ts'
import { MathMarks } from './math-marks.ts'
import type { ReadingBudget } from './reading-budget.ts'

interface HtmlFacts {
  title?: string
  date?: string
}

const skipped = new Set(
  'script style noscript template svg iframe object select button nav head annotation annotation-xml'.split(
    ' ',
  ),
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

/**
 * Adds the blocks of `page` to `list`, and returns its title and date. `place` returns the place of
 * the next block.
 */
export async function readHtmlBlocks(
  page: string | AsyncIterable<Uint8Array>,
  list: BlockList,
  place: () => string,
  budget: ReadingBudget,
  form: 'html' | 'xml' = 'html',
): Promise<HtmlFacts> {
  const reader = new HtmlReader(list, place, form === 'xml')
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
  /** Number of open elements, counted from the skipped one inward; 0 outside of a skipped element. */
  private skip = 0
  private level: number | undefined
  private readonly tables = new HtmlTables()
  private readonly formula = new MathMarks()
  private readonly list: BlockList
  private readonly place: () => string
  private readonly isXml: boolean

  constructor(list: BlockList, place: () => string, isXml: boolean) {
    this.list = list
    this.place = place
    this.isXml = isXml
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
    if (name === 'br') this.put(this.tables.cells ? ' ' : '\n')
    if (name === 'img' && attributes['alt']) this.put(` ${attributes['alt']} `)
    if (name === 'input') this.put(` ${shownValue(attributes)} `)
    this.put(this.formula.open(name))
    if (name === 'td' || name === 'th') this.tables.openCell(name === 'th')
    else if (blocks.has(name) && !this.tables.cells) this.flush()
    if (name === 'pre') this.pre++
    if (name === 'table') this.tables.open()
    if (/^h[1-6]$/.test(name) && !this.tables.cells) this.level = Number(name[1])
    if (name === 'tr') this.tables.openRow()
  }

  /** Appends text to the open cell, else to the block. */
  private put(text: string): void {
    const cell = this.tables.cells?.at(-1)
    if (cell) cell.text = this.list.grow(cell.text, text)
    else this.text_ = this.list.grow(this.text_, text)
  }

  text(text: string): void {
    if (this.inTitle && this.title.length < 1_000) this.title += text
    if (this.skip > 0) return
    const flatText = this.pre > 0 ? text : text.replace(/\s+/g, ' ')
    this.put(this.isXml ? decodeNamedEntities(flatText) : flatText)
  }

  close(raw: string): void {
    const name = raw.toLowerCase()
    if (name === 'title') this.inTitle = false
    if (this.skip > 0) {
      if (!voids.has(name)) this.skip--
      return
    }
    if (this.formula.isOpen) this.put(this.formula.close())
    if (name === 'pre' && this.pre > 0) {
      if (!this.tables.cells) this.flush()
      this.pre--
    }
    if (name === 'tr' || name === 'table') this.closeRow()
    if (name === 'table') this.tables.close()
    else if (blocks.has(name) && !this.tables.cells) this.flush()
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
    return { title: title || undefined, date: this.date }
  }

  private closeRow(): void {
    const row = this.tables.closeRow()
    if (row === undefined) return
    if (this.tables.cells) this.put(` ${row} `)
    else this.list.add(row, this.place)
  }

  private takeMeta({ name, property, content }: Readonly<Record<string, string>>): void {
    if (dateNames.test(name ?? property ?? '')) this.date ??= isoDate(content?.replaceAll('/', '-'))
  }
}

/**
 * Returns the value of a form field for a text, number, date or time. Empty for any other type, such as a
 * password or a checkbox.
 */
function shownValue({ type = 'text', value = '' }: Readonly<Record<string, string>>): string {
  return /^(?:text|email|tel|url|number|date|time|search)$/i.test(type) ? value : ''
}
