// Paragraphs, notes and comments of an OpenDocument file, from its events.
import type { BlockList } from '../block-list.ts'
import type { GapKind, GapList } from '../gap-list.ts'
import type { MarkupHandler, TagAttributes } from '../markup-events.ts'
import { nameColumn } from './cell-anchor.ts'
import type { OpenObject } from './open-object.ts'
import { countOf, OpenTables } from './open-tables.ts'

export type OpenKind = 'odt' | 'ods' | 'odp'

interface OpenParagraph {
  text: string
  level: number | undefined
}

/** A comment or note, which comes below the block that it belongs to. */
interface SideNote {
  label: string
  texts: string[]
}

/**
 * Output of the handler. `objects`: embedded objects that can be read, by the name of their directory. `at`:
 * the place that is reported for every gap (a part that is not read) except tracked changes. Default: the
 * slide, paragraph or cell with the gap.
 */
interface OpenOutput {
  kind: OpenKind
  list: BlockList
  gaps: GapList
  objects?: ReadonlyMap<string, OpenObject>
  at?: string
}

const skippedNames = new Set(['text:tracked-changes', 'dc:date', 'svg:title', 'text:note-citation'])
const fieldNames = new Set(['svg:desc', 'dc:creator', 'presentation:header-decl', 'presentation:footer-decl'])
const gapKinds: Readonly<Record<string, GapKind>> = {
  'draw:image': 'picture',
  'draw:object': 'embedded',
  'draw:object-ole': 'embedded',
  'draw:plugin': 'media',
  'form:form': 'control',
}

export class OpenHandler implements MarkupHandler {
  readonly #out: OpenOutput
  readonly #tables: OpenTables
  readonly #paragraphs: OpenParagraph[] = []
  readonly #asides: SideNote[] = []
  #waiting: SideNote[] = []
  readonly #at = { skip: 0, page: 0, inPage: 0, inNotes: false, footnotes: 0 }
  /** Text that is not of a paragraph: the author of a comment, the description of a picture. */
  #field: string | undefined
  readonly #numbered = { styles: new Set<string>(), style: '', depth: 0 }

  constructor(out: OpenOutput) {
    this.#out = out
    const addGap = (gap: GapKind) => out.gaps.add(gap, this.#gapPlace())
    this.#tables = new OpenTables({ list: out.list, place: this.#place, addGap })
  }

  open(name: string, attributes: TagAttributes): void {
    if (name === 'text:tracked-changes') this.#out.gaps.add('deletion', 'outside of the text')
    if (this.#at.skip > 0 || skippedNames.has(name)) {
      this.#at.skip++
      return
    }
    this.#openObject(name, attributes['xlink:href']?.replace(/^\.\//, '') ?? '')
    this.#openList(name, attributes)
    this.#tables.open(name, attributes, this.#out.kind === 'ods' && this.#tables.depth === 0)
    this.#begin(name, attributes)
  }

  text(text: string): void {
    if (this.#at.skip > 0) return
    if (this.#field !== undefined) this.#field = this.#out.list.grow(this.#field, text)
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
    else if (name === 'dc:creator' && this.#out.kind !== 'ods') {
      const aside = this.#asides.at(-1)
      if (aside) aside.label = `Comment by ${this.#field}: `
    } else if (name === 'text:list' && this.#numbered.depth > 0) this.#numbered.depth--
    else if (name === 'presentation:header-decl' || name === 'presentation:footer-decl')
      this.#out.list.add(`${name.includes('header') ? 'Header' : 'Footer'}: ${this.#field}`, this.#place)
    if (fieldNames.has(name)) this.#field = undefined
    this.#tables.close(name)
    this.#addAsides()
  }

  /**
   * Adds a formula to the text of its paragraph, and other objects below the paragraph. An object that is not
   * read becomes a gap, as do a picture, media, a form and a chart without numbers.
   */
  #openObject(name: string, target: string): void {
    const gap = gapKinds[name]
    // `ObjectReplacements/` contains a picture of the object for programs that do not show objects
    if (!gap || target.startsWith('ObjectReplacements/')) return
    const object = this.#out.objects?.get(target)
    if (object?.kind === 'formula' && this.#paragraphs.length > 0) this.#put(` ${object.lines.join(' ')} `)
    else if (object) {
      if (object.kind === 'chart' && object.lines.length === 1) this.#out.gaps.add('chart', this.#gapPlace())
      this.#waiting.push(...object.lines.map((line) => ({ label: '', texts: [line] })))
    } else {
      this.#out.gaps.add(gap, this.#gapPlace())
      if (gap === 'embedded') this.#put(' [embedded object: not read] ')
    }
  }

  #begin(name: string, attributes: TagAttributes): void {
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
      const cell = this.#out.kind === 'ods' ? ` at ${nameColumn(column)}${row}` : ''
      this.#asides.push({ label: `Comment${cell}: `, texts: [] })
    } else if (fieldNames.has(name)) this.#field = ''
  }

  /**
   * Adds a gap for each item of a numbered list, because its number is not in the text. The styles of
   * numbered lists come before the text.
   */
  #openList(name: string, attributes: TagAttributes): void {
    const lists = this.#numbered
    if (name === 'text:list-style') lists.style = attributes['style:name'] ?? ''
    if (name === 'text:list-level-style-number' && attributes['style:num-format'])
      lists.styles.add(lists.style)
    if (name === 'text:list' && (lists.depth > 0 || lists.styles.has(attributes['text:style-name'] ?? '')))
      lists.depth++
    if (name === 'text:list-item' && lists.depth > 0) this.#out.gaps.add('number', this.#gapPlace())
  }

  #closeParagraph(): void {
    const { text = '', level } = this.#paragraphs.pop() ?? {}
    const aside = this.#asides.at(-1)
    if (aside) aside.texts.push(text.trim())
    else if (!this.#tables.put(text) && text.trim() !== '')
      this.#out.list.add(this.#at.inNotes ? `Notes: ${text.trim()}` : text, this.#place, level)
  }

  /** Adds notes, comments and objects below the outermost paragraph or row, or below the sheet. */
  #addAsides(): void {
    const isOpen = this.#paragraphs.length > 0 || this.#asides.length > 0 || this.#tables.depth > 0
    if (this.#waiting.length === 0 || isOpen) return
    for (const { label, texts } of this.#waiting.splice(0))
      this.#out.list.add(label + texts.join('\n'), this.#place)
  }

  readonly #place = (): string => {
    if (this.#out.kind === 'odp') return `page ${Math.max(1, this.#at.page)}, paragraph ${++this.#at.inPage}`
    if (this.#out.kind === 'ods') return `section ${Math.max(1, this.#tables.section)}`
    return `paragraph ${this.#out.list.blocks.length + 1}`
  }

  #gapPlace(): string {
    if (this.#out.at !== undefined) return this.#out.at
    if (this.#out.kind === 'odp') return `slide ${this.#at.page}`
    if (this.#out.kind === 'odt') return `paragraph ${this.#out.list.blocks.length + 1}`
    const { row, column } = this.#tables.position
    return `sheet “${this.#tables.name}”, ${nameColumn(column)}${row}`
  }

  #put(text: string): void {
    const current = this.#paragraphs.at(-1)
    if (current) current.text = this.#out.list.grow(current.text, text)
  }
}
