// Follows the groups and control words of an RTF file, and decodes its text.
import type { GapList } from '../gap-list.ts'
import { RtfFonts } from './rtf-fonts.ts'
import type { RtfOutput } from './rtf-output.ts'
import type { RtfToken } from './rtf-tokens.ts'
import { rtfAsides, rtfCharacters, rtfGaps, rtfOptional, rtfParagraphEnds, rtfSkipped } from './rtf-words.ts'

/** State of a group. A new group begins with the state of the group around it. */
interface RtfState {
  target: 'text' | 'none' | 'fonts' | 'info' | 'title' | 'author' | 'doubled'
  font: number | undefined
  /** Number of characters after `\u` that repeat its letter for old programs. */
  repeats: number
  isHidden: boolean
  isDeleted: boolean
  isInTable: boolean
  level: number | undefined
  /** Whether the group is an aside, such as a footnote, so that the aside ends with the group. */
  isAside: boolean
  /**
   * True from the start of a group until its first control word or text. That control word names the group.
   * `isOptional`: an asterisk is before it.
   */
  isStart: boolean
  isOptional: boolean
}

export class RtfReader {
  title = ''
  readonly #output: RtfOutput
  readonly #gaps: GapList
  readonly #outer: RtfState[] = []
  readonly #fonts = new RtfFonts()
  #bytes = ''
  /** Number of characters still to be skipped because they repeat the letter of `\u`. */
  #skip = 0
  #state: RtfState = {
    target: 'text',
    font: undefined,
    repeats: 1,
    isHidden: false,
    isDeleted: false,
    isInTable: false,
    level: undefined,
    isAside: false,
    isStart: false,
    isOptional: false,
  }

  constructor(output: RtfOutput, gaps: GapList) {
    this.#output = output
    this.#gaps = gaps
  }

  take(token: RtfToken): void {
    if (token.kind === 'bytes') this.#takeBytes(token.bytes)
    else if (token.kind === 'word') this.#takeWord(token.name, token.value)
    else {
      this.#flush()
      this.#skip = 0
      if (token.kind === 'open') this.#openGroup()
      else this.#closeGroup()
    }
  }

  end(): void {
    this.#flush()
  }

  #openGroup(): void {
    this.#outer.push(this.#state)
    this.#state = { ...this.#state, isAside: false, isStart: true, isOptional: false }
  }

  #closeGroup(): void {
    if (this.#state.isAside) this.#output.endAside()
    const { isDeleted } = this.#state
    this.#state = this.#outer.pop() ?? this.#state
    if (isDeleted && !this.#state.isDeleted && this.#state.target === 'text')
      this.#gaps.add('deletion', this.#output.place())
  }

  #takeBytes(bytes: string): void {
    this.#state.isStart = false
    const skipped = Math.min(this.#skip, bytes.length)
    this.#skip -= skipped
    this.#bytes += bytes.slice(skipped)
  }

  #takeWord(name: string, value: number | undefined): void {
    const { isStart, isOptional } = this.#state
    if (name === '*') {
      this.#state.isOptional = true
      return
    }
    this.#flush()
    this.#state.isStart = false
    if (isStart && this.#beginPart(name, isOptional)) return
    if (this.#skip > 0 && name !== 'u' && name !== 'uc') {
      this.#skip--
      return
    }
    this.#setState(name, value)
    if (this.#state.target === 'text') this.#takeTextWord(name, value)
  }

  /**
   * Handles the control word at the start of a group. Returns true if the word only names the group, or if
   * the group is not read.
   */
  #beginPart(name: string, isOptional: boolean): boolean {
    const state = this.#state
    if (state.target === 'none') return true
    if (state.target === 'info') state.target = name === 'title' ? 'title' : 'none'
    if (state.target === 'doubled') state.target = name === 'ud' ? 'text' : 'doubled'
    if (state.target === 'fonts') return isOptional
    if (state.target !== 'text') return true
    const gap = rtfGaps[name]
    const label = rtfAsides[name]
    if (name === 'fonttbl') state.target = 'fonts'
    else if (name === 'info') state.target = 'info'
    else if (name === 'upr') state.target = 'doubled'
    else if (name === 'atnauthor') state.target = 'author'
    else if (rtfSkipped.has(name) || (isOptional && !rtfOptional.has(name) && !gap)) state.target = 'none'
    else if (gap) {
      this.#gaps.add(gap, this.#output.place())
      if (name === 'pict' || name === 'moMath') state.target = 'none'
      if (name === 'moMath') this.#output.put(' [formula: not read] ')
    } else if (label !== undefined) {
      this.#output.beginAside(label)
      Object.assign(state, { isAside: true, isInTable: false, level: undefined })
    } else return false
    return true
  }

  #setState(name: string, value: number | undefined): void {
    const state = this.#state
    const isOn = value !== 0
    this.#fonts.setFile(name, value)
    if (state.target === 'fonts' && value !== undefined) this.#fonts.setFont(state.font, name, value)
    if (name === 'uc') state.repeats = value ?? 1
    else if (name === 'f' || name === 'deff') state.font = value
    else if (name === 'v') state.isHidden = isOn
    else if (name === 'deleted') state.isDeleted = isOn
    else if (name === 'plain') Object.assign(state, { isHidden: false, isDeleted: false })
    else if (name === 'intbl') state.isInTable = true
    else if (name === 'pard') Object.assign(state, { isInTable: false, level: undefined })
    else if (name === 'outlinelevel') state.level = (value ?? 0) + 1
  }

  #takeTextWord(name: string, value: number | undefined): void {
    const { isInTable, level, repeats } = this.#state
    if (name === 'u') {
      const code = (value ?? 0) < 0 ? (value ?? 0) + 65_536 : (value ?? 0)
      this.#putAll(this.#fonts.letterOf(this.#state.font, code))
      this.#skip = repeats
    } else if (rtfParagraphEnds.has(name)) this.#output.endParagraph(isInTable, level)
    else if (name === 'cell' || name === 'nestcell') this.#output.endCell()
    else if (name === 'row' || name === 'nestrow') this.#output.endRow()
    else if (Object.hasOwn(rtfCharacters, name)) this.#put(rtfCharacters[name] ?? '')
  }

  /**
   * Decodes and adds the collected bytes. They are decoded together, because the bytes of one character may
   * come in several tokens.
   */
  #flush(): void {
    if (this.#bytes === '') return
    const { font, target } = this.#state
    const bytes = this.#bytes
    this.#bytes = ''
    if (target === 'fonts') this.#fonts.setName(font, bytes)
    if (target !== 'text' && target !== 'author' && target !== 'title') return
    const text = this.#fonts.decode(font, bytes)
    if (target === 'author') this.#output.author += text
    else if (target === 'title') this.title += text
    else this.#putAll(text)
  }

  /**
   * Adds text unless it is hidden or deleted. Adds a gap for each U+FFFD, which replaces an unknown letter,
   * even in text that is not added.
   */
  #putAll(text: string): void {
    this.#put(text)
    const kind = this.#fonts.isSymbol(this.#state.font) ? 'symbol' : 'letter'
    for (const _ of text.matchAll(/\ufffd/g)) this.#gaps.add(kind, this.#output.place())
  }

  #put(text: string): void {
    const { isHidden, isDeleted, target } = this.#state
    if (target === 'text' && !isHidden && !isDeleted) this.#output.put(text)
  }
}
