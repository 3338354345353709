// Formulas of Office files as one line of text: `√[3](x)`, `∑_(i=1)^(n) (a)/(b)`, `[a, b; c, d]`.
import type { TagAttributes } from '../markup-events.ts'

interface FormulaPart {
  name: string
  /** Number of child elements `m:e` and `m:mr` that have begun so far. */
  count: number
  begin: string
  end: string
  separator: string
  /** The sign of an operator or accent. */
  sign: string
  isSignPut: boolean
}

/** Opening text of each part. A bracket closes it, so that a fraction does not read as a number. */
const openings: Readonly<Record<string, string>> = {
  'm:num': '(',
  'm:den': '/(',
  'm:sup': '^(',
  'm:sub': '_(',
  'm:lim': '_(',
  'm:deg': '[',
}

/**
 * Signs of operators and accents for which the file names no sign. A delimiter has round brackets by default.
 */
const signs: Readonly<Record<string, string>> = { 'm:nary': '∫', 'm:acc': '\u0302', 'm:groupChr': '' }

/** Elements with their own children `m:e` or `m:mr`; other elements only group. */
const structures = new Set(
  'd nary acc groupChr rad func m mr eqArr limUpp limLow f sSup sSub sSubSup sPre bar box borderBox phant'
    .split(' ')
    .map((name) => `m:${name}`),
)

/** Target of a formula: the paragraph so far, a way to add text, and a way to remove one character. */
interface FormulaTarget {
  text(): string
  put(part: string): void
  cut(): void
}

export class FormulaWriter {
  private readonly parts: FormulaPart[] = []
  private readonly target: FormulaTarget

  constructor(target: FormulaTarget) {
    this.target = target
  }

  open(name: string, attributes: TagAttributes): void {
    const parent = this.parts.at(-1)
    if (name === 'm:oMath' && /[^\s(]$/.test(this.target.text())) this.target.put(' ')
    if (parent) setProperty(parent, name, attributes['m:val'] ?? '')
    if (parent && /^m:(?:e|mr|sub|sup|lim|deg|num|den)$/.test(name)) this.openChild(parent, name)
    const opening = name === 'm:lim' && parent?.name === 'm:limUpp' ? '^(' : openings[name]
    if (opening !== undefined) this.target.put(opening)
    if (!structures.has(name)) return
    const brackets = { begin: '(', end: ')', separator: '|' }
    this.parts.push({ name, count: 0, ...brackets, sign: signs[name] ?? '', isSignPut: false })
    if (name === 'm:rad') this.target.put('√')
    if (name === 'm:m') this.target.put('[')
  }

  close(name: string): void {
    if (name in openings) this.closeOpening(name === 'm:deg' ? ']' : ')')
    if (name === 'm:e' && this.parts.at(-1)?.name === 'm:rad') this.target.put(')')
    if (!structures.has(name)) return
    const part = this.parts.pop()
    if (name === 'm:d') this.target.put(part?.end ?? '')
    if (name === 'm:m') this.target.put(']')
    if (name === 'm:acc' || name === 'm:groupChr') this.target.put(part?.sign ?? '')
  }

  private openChild(parent: FormulaPart, name: string): void {
    if (parent.name === 'm:nary' && !parent.isSignPut) this.target.put(parent.sign)
    parent.isSignPut = true
    if (name !== 'm:e' && name !== 'm:mr') return
    const isFirst = parent.count++ === 0
    if (parent.name === 'm:d') this.target.put(isFirst ? parent.begin : parent.separator)
    else if (parent.name === 'm:rad') this.target.put('(')
    else if (parent.name === 'm:func' || parent.name === 'm:nary') this.target.put(' ')
    else if (!isFirst && parent.name === 'm:mr') this.target.put(', ')
    else if (!isFirst && (parent.name === 'm:m' || parent.name === 'm:eqArr')) this.target.put('; ')
  }

  /** Closes a part with `bracket`, or removes its opening text if the part is empty. */
  private closeOpening(bracket: string): void {
    const empty = /(?:[_^/]?\(|\[)$/.exec(this.target.text())?.[0]
    if (empty === undefined) this.target.put(bracket)
    else for (let i = 0; i < empty.length; i++) this.target.cut()
  }
}

function setProperty(part: FormulaPart, name: string, value: string): void {
  if (name === 'm:chr') part.sign = value
  else if (name === 'm:begChr') part.begin = value
  else if (name === 'm:endChr') part.end = value
  else if (name === 'm:sepChr') part.separator = value
}
