// Headers and footers of OpenDocument files, which are in the styles of pages.
import type { BlockList } from '../block-list.ts'
import type { GapList } from '../gap-list.ts'
import { type MarkupHandler, parseMarkup, type TagAttributes } from '../markup-events.ts'
import type { ReadingBudget } from '../reading-budget.ts'
import type { ZipArchive } from '../zip-archive.ts'
import { OpenHandler, type OpenKind } from './open-document-handler.ts'
import { lineList } from './open-objects.ts'

/** Fields of headers and footers that are skipped: page numbers, the name of the sheet, and the time. */
const pageFields = new Set(['text:page-number', 'text:page-count', 'text:sheet-name', 'text:time'])

/**
 * Adds the headers and footers to `list` below the text, each text once and without page numbers. Skips those
 * of a spreadsheet that have fewer than two words.
 */
export async function addOpenHeads(
  zip: ZipArchive,
  { kind, list, gaps }: { kind: OpenKind; list: BlockList; gaps: GapList },
  budget: ReadingBudget,
): Promise<void> {
  const stream = await zip.stream('styles.xml')
  if (!stream) return
  const lines: string[] = []
  const inner = new OpenHandler({
    kind: 'odt',
    list: lineList(lines, budget),
    gaps,
    at: 'a page header or footer',
  })
  const texts = new Set<string>()
  const reader = new HeadReader(inner, (label) => {
    for (const text of lines.splice(0)) if (kind !== 'ods' || isWritten(text)) texts.add(label + text)
  })
  await parseMarkup(stream, 'xml', reader, budget)
  const place = () => (kind === 'odt' ? `paragraph ${list.blocks.length + 1}` : 'page 1, paragraph 1')
  for (const text of texts) list.add(text, place)
}

/**
 * Returns true for text of more than one word. Other text of spreadsheets is skipped, because a new sheet has
 * the footer "Page" and a number, which the user did not write.
 */
const isWritten = (text: string) => (text.match(/\p{L}+/gu)?.length ?? 0) > 1

/** Forwards the events inside of headers and footers that are shown. */
class HeadReader implements MarkupHandler {
  #depth = 0
  #skipped = 0
  #label = ''
  readonly #inner: OpenHandler
  readonly #end: (label: string) => void

  constructor(inner: OpenHandler, end: (label: string) => void) {
    this.#inner = inner
    this.#end = end
  }

  open(name: string, attributes: TagAttributes): void {
    const part = /^style:(header|footer)(?:-left|-first)?$/.exec(name)?.[1]
    if (this.#depth === 0 && (part === undefined || attributes['style:display'] === 'false')) return
    this.#depth++
    if (this.#depth === 1) this.#label = part === 'header' ? 'Header: ' : 'Footer: '
    else if (this.#skipped > 0 || pageFields.has(name)) this.#skipped++
    else this.#inner.open(name, attributes)
  }

  text(text: string): void {
    if (this.#depth > 1 && this.#skipped === 0) this.#inner.text(text)
  }

  close(name: string): void {
    if (this.#depth === 0) return
    this.#depth--
    if (this.#depth === 0) this.#end(this.#label)
    else if (this.#skipped > 0) this.#skipped--
    else this.#inner.close(name)
  }
}
