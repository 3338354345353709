// Paragraphs, notes and comments of an OpenDocument file, from its events.
import type { BlockList } from '../block-list.ts'
import type { GapKind, GapList } from '../gap-list.ts'
import type { MarkupHandler } from '../markup-events.ts'
import { nameColumn } from './cell-anchor.ts'
import { countOf, OpenTables } from './open-tables.ts'

type Attributes = Readonly<Record<string, string>>

export type OpenKind = 'odt' | 'ods' | 'odp'

interface OpenParagraph {
  text: string
  level: number | undefined
}

/** A comment or note, which comes below the block that it belongs to. */
interface Aside {
  label: string
  texts: string[]
}

const skippedNames = new Set(['text:tracked-changes', 'dc:date', 'svg:title', 'text:note-citation'])
const gapKinds: Readonly<Record<string, GapKind>> = {
  'draw:image': 'picture',
  'draw:object': 'embedded',
  'draw:object-ole': 'embedded',
  'draw:plugin': 'media',
  'form:form': 'control',
}

export class OpenHandler implements MarkupHandler {
  readonly #kind: OpenKind
  readonly #list: BlockList
  readonly #gaps: GapList
  readonly #tables: OpenTables
  readonly #paragraphs: OpenParagraph[] = []
  readonly #asides: Aside[] = []
  #waiting: Aside[] = []
  readonly #at = { skip: 0, page: 0, inPage: 0, inNotes: false, footnotes: 0 }
  /** Text that is not of a paragraph: the author of a comment, the description of a picture. */
  #field: string | undefined
  readonly #numbered = { styles: new Set<string>(), style: '', depth: 0 }

  constructor({ kind, list, gaps }: { kind: OpenKind; list: BlockList; gaps: GapList }) {
    this.#kind = kind
    this.#list = list
    this.#gaps = gaps
    this.#tables = new OpenTables(list, this.#place)
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'text:tracked-changes') this.#gaps.add('deletion', 'outside of the text')
    if (this.#at.skip > 0 || skippedNames.has(name)) {
      this.#at.skip++
      return
    }
    const gap = gapKinds[name]
    if (gap) this.#gaps.add(gap, this.#gapPlace())
    if (gap === 'embedded') this.#put(' [embedded object: not read] ')
    this.#openList(name, attributes)
    this.#tables.open(name, attributes, this.#kind === 'ods' && this.#tables.depth === 0)
    this.#begin(name, attributes)
  }

  text(text: string): void {
    if (this.#at.skip > 0) return
    if (this.#field !== undefined) this.#field = this.#list.grow(this.#field, text)
    else this.#put(text.replace(/\s+/g, ' '))
  }

  close(name: string): void {
    if (this.#at.skip > 0) {
      this.#at.skip--
      return
    }
    if (name === 'text:p' || name === 'text:h') this.#closeParagraph()
    else if (name === 'text:ruby-text') this.#put(')')
    else if (name === 'presentation:notes') this.#at.inNotes = false
    else if (name === 'text:note' || name === 'office:annotation')
      this.#waiting.push(...this.#asides.splice(-1))
    else if (name === 'svg:desc') this.#put(` [picture: ${this.#field}] `)
    else if (name === 'dc:creator' && this.#kind !== 'ods') {
      const aside = this.#asides.at(-1)
      if (aside) aside.label = `Comment by ${this.#field}: `
    } else if (name === 'text:list' && this.#numbered.depth > 0) this.#numbered.depth--
    if (name === 'svg:desc' || name === 'dc:creator') this.#field = undefined
    this.#tables.close(name)
    this.#addAsides()
  }

  #begin(name: string, attributes: Attributes): void {
    if (name === 'text:p' || name === 'text:h') {
      const level = name === 'text:h' ? countOf(attributes['text:outline-level']) : undefined
      this.#paragraphs.push({ text: '', level })
    } else if (name === 'text:s') this.#put(' '.repeat(Math.min(1_000, countOf(attributes['text:c']))))
    else if (name === 'text:tab') this.#put('\t')
    else if (name === 'text:line-break') this.#put('\n')
    else if (name === 'text:ruby-text') this.#put('(')
    else if (name === 'draw:page') {
      this.#at.page++
      this.#at.inPage = 0
    } else if (name === 'presentation:notes') this.#at.inNotes = true
    else if (name === 'text:note') {
      this.#put(`[^${++this.#at.footnotes}]`)
      this.#asides.push({ label: `[^${this.#at.footnotes}] `, texts: [] })
    } else if (name === 'office:annotation') {
      const { row, column } = this.#tables.position
      const cell = this.#kind === 'ods' ? ` at ${nameColumn(column)}${row}` : ''
      this.#asides.push({ label: `Comment${cell}: `, texts: [] })
    } else if (name === 'dc:creator' || name === 'svg:desc') this.#field = ''
  }

  /** Styles of numbered lists come before the text; their numbers are not in it. */
  #openList(name: string, attributes: Attributes): void {
    const lists = this.#numbered
    if (name === 'text:list-style') lists.style = attributes['style:name'] ?? ''
    if (name === 'text:list-level-style-number' && attributes['style:num-format'])
      lists.styles.add(lists.style)
    if (name === 'text:list' && (lists.depth > 0 || lists.styles.has(attributes['text:style-name'] ?? '')))
      lists.depth++
    if (name === 'text:list-item' && lists.depth > 0) this.#gaps.add('number', this.#gapPlace())
  }

  #closeParagraph(): void {
    const { text = '', level } = this.#paragraphs.pop() ?? {}
    const aside = this.#asides.at(-1)
    if (aside) aside.texts.push(text.trim())
    else if (!this.#tables.put(text) && text.trim() !== '')
      this.#list.add(this.#at.inNotes ? `Notes: ${text.trim()}` : text, this.#place, level)
  }

  /** Below the outermost paragraph or row, or below the sheet. */
  #addAsides(): void {
    const isOpen = this.#paragraphs.length > 0 || this.#asides.length > 0 || this.#tables.depth > 0
    if (this.#waiting.length === 0 || isOpen) return
    for (const { label, texts } of this.#waiting.splice(0))
      this.#list.add(label + texts.join('\n'), this.#place)
  }

  readonly #place = (): string => {
    if (this.#kind === 'odp') return `page ${this.#at.page}, paragraph ${++this.#at.inPage}`
    if (this.#kind === 'ods') return `section ${Math.max(1, this.#tables.section)}`
    return `paragraph ${this.#list.blocks.length + 1}`
  }

  #gapPlace(): string {
    if (this.#kind === 'odp') return `slide ${this.#at.page}`
    if (this.#kind === 'odt') return `paragraph ${this.#list.blocks.length + 1}`
    const { row, column } = this.#tables.position
    return `sheet “${this.#tables.name}”, ${nameColumn(column)}${row}`
  }

  #put(text: string): void {
    const current = this.#paragraphs.at(-1)
    if (current) current.text = this.#list.grow(current.text, text)
  }
}
