// The statement of a quote to which a value belongs, and the text that says what the statement is about.
import {
  listEnclosing,
  listIntroductions,
  readTextLines,
  spanOf,
  type TextLine,
  type TextSpan,
} from './statement-lines.ts'

export interface ValueStatement {
  /** The sentence, table cell, setting or line of code that contains the value. */
  own: TextSpan
  /** Text that describes this statement: the key of an item, the head of a column, a comment. */
  lead: readonly TextSpan[]
  /** Text that introduces several statements: the line above a list, the object around a setting, a title. */
  outer: readonly TextSpan[]
  /** Signatures of the functions around a line of code. */
  functions: readonly TextSpan[]
  /** True if the statement is a line of code or a setting, and not a sentence. */
  isCode: boolean
  /** True if the statement is part of an example, whose values are not those of the program. */
  isExample: boolean
}

type StatementSpans = Pick<ValueStatement, 'own' | 'lead'> &
  Partial<Pick<ValueStatement, 'outer' | 'functions'>>

/**
 * Returns a function that finds the statement of a value from its index in the quote. `isCode` is true for
 * code and for files of settings.
 */
export function readStatements(quote: string, isCode: boolean): (at: number) => ValueStatement {
  const lines = readTextLines(quote, isCode)
  return (at) => {
    const i = Math.max(0, findLast(lines, at))
    const { role, isExample } = lines[i] as TextLine
    const read = role === 'row' ? readCell : role === 'code' ? readCode : readSentence
    const { own: ownSpan, lead, outer = [], functions = [] } = read(lines, i, at)
    return { own: ownSpan, lead, outer, functions, isCode: role === 'code', isExample }
  }
}

/** Returns the index of the last span that begins at or before the index `at`. */
const findLast = (spans: readonly { from: number }[], at: number): number =>
  spans.findLastIndex(({ from }) => from <= at)

/** Matches a cell that has only a value, which says nothing about the other values of its row. */
const valueCell = /^[\s`'"*]*\S{1,12}[\s`'"*]*$/

function readCell(lines: readonly TextLine[], i: number, at: number): StatementSpans {
  const row = lines[i] as TextLine
  const cells = listCells(row)
  const n = Math.max(0, findLast(cells, at))
  const isValue = ({ from, to }: TextSpan) => valueCell.test(row.text.slice(from - row.from, to - row.from))
  const lead = cells.filter((cell, k) => k !== n && (k === 0 || !isValue(cell)))
  let top = i
  while (['row', 'rule'].includes(lines[top - 1]?.role ?? '')) top--
  const head = lines[top + 1]?.role === 'rule' ? listCells(lines[top] as TextLine)[n] : undefined
  return { own: cells[n] ?? spanOf(row), lead: head ? [...lead, head] : lead }
}

function listCells({ from, text }: TextLine): TextSpan[] {
  const bars = [...text.matchAll(/(?<!\\)\|/g)].map(({ index }) => from + index)
  return bars.slice(0, -1).map((bar, k) => ({ from: bar + 1, to: bars[k + 1] as number }))
}

/** Matches the gap between two sentences or clauses. */
const gap =
  /(?<=[.!?]["'”’)\]*_\x60]*)(?<!\b(?:e\.g|i\.e|cf|vs|etc|approx)\.)\s+(?=[^\s\p{Ll}])|(?<=[。！？;])\s*/gu
/** Matches a sentence that says nothing without the previous one. */
const refers = new RegExp(
  String.raw`^\s*(?:it|its|this|that|they|these|those|otherwise|by default|must|can be|may be|set to|` +
    String.raw`if not|(?:if|when) omitted|unless|(?:the )?(?:default|value|limit|maximum|minimum)s?)\b`,
  'iu',
)
/** Largest length in characters of a line that counts as a term, which the paragraph below it defines. */
const maxTerm = 80

function readSentence(lines: readonly TextLine[], i: number, at: number): StatementSpans {
  const { role } = lines[i] as TextLine
  let first = i
  while (!lines[first]?.opens && lines[first - 1]?.role === role) first--
  let last = i
  while (lines[last + 1]?.role === role && !lines[last + 1]?.opens) last++
  const { from, opens } = lines[first] as TextLine
  const text = lines
    .slice(first, last + 1)
    .map((line) => line.text)
    .join(' ')
  const sentences = splitSentences(text, from)
  const n = Math.max(0, findLast(sentences, at))
  const ownSpan = sentences[n] ?? { from, to: from + text.length }
  const lead: TextSpan[] = []
  if (n > 0 && (opens || role === 'comment')) lead.push(sentences[0] as TextSpan)
  if (n > 0 && refers.test(text.slice(ownSpan.from - from))) lead.push(sentences[n - 1] as TextSpan)
  // A short line without a full stop is a term, and the paragraph below defines it.
  if (first === last && text.length <= maxTerm && !/[.!?]\s*$/.test(text))
    lead.push(...listBelow(lines, last))
  const outer = listIntroductions(lines, first).map(spanOf)
  if (role !== 'comment') return { own: ownSpan, lead, outer }
  const described = readDescribed(lines, first, last)
  const { functions } = described
  return {
    own: ownSpan,
    lead: [...lead, ...described.lead],
    outer: [...outer, ...described.outer],
    functions,
  }
}

function splitSentences(text: string, from: number): TextSpan[] {
  const starts = [0, ...[...text.matchAll(gap)].map(({ index, 0: blank }) => index + blank.length)]
  return starts
    .filter((start) => start < text.length)
    .map((start, k) => ({ from: from + start, to: from + (starts[k + 1] ?? text.length) }))
}

/** Returns the first lines of the paragraph below a line, at most three, without items of a list. */
function listBelow(lines: readonly TextLine[], at: number): TextSpan[] {
  let next = at + 1
  while (lines[next]?.role === 'blank') next++
  return lines
    .slice(next, next + 3)
    .filter(({ role, opens }) => role === lines[at]?.role && !opens)
    .map(spanOf)
}

/**
 * Returns what a comment is about: the line of code below it, its own first line, and the lines of
 * code around it.
 */
function readDescribed(
  lines: readonly TextLine[],
  first: number,
  last: number,
): Pick<ValueStatement, 'lead' | 'outer' | 'functions'> {
  const isInside = (line: TextLine | undefined) =>
    line?.role === 'comment' || (line?.role === 'blank' && !line.isEmpty) || line?.isExample === true
  let top = first
  while (isInside(lines[top - 1]) || (lines[top - 1]?.role === 'blank' && isInside(lines[top - 2]))) top--
  while (lines[top]?.role === 'blank') top++
  let below = last + 1
  while (isInside(lines[below]) || lines[below]?.role === 'blank') below++
  const lead = top < first ? [spanOf(lines[top] as TextLine)] : []
  const described = lines[below]
  if (described?.role !== 'code') return { lead, outer: [], functions: [] }
  return { lead: [...lead, spanOf(described)], ...readEnclosing(lines, below) }
}

const functionLine = new RegExp(
  String.raw`^\s*(?:(?:export|default|async|static|public|private|protected|pub(?:\([^)]*\))?|override|` +
    String.raw`inline|const|unsafe)\s+)*(?:def|fn|func|function|fun|class|sub)\b|` +
    String.raw`^[\w*][\w\s*&:<>,]*\([^;]*$|\)\s*(?::\s*[\w<>[\] |.]+)?\s*\{\s*$`,
)
/** Matches a condition or a label such as `case X:`, which is about the line below it. */
const conditionLine = new RegExp(
  String.raw`^\s*(?:\}?\s*(?:else\s*)?(?:if|elif|while|unless)\b.*[{:)]\s*$|case\b.*|` +
    String.raw`[\w.| ]+=>\s*\{?\s*$|[\w'"]+\s*:\s*$)`,
)

/**
 * Returns the lines around a line of code: signatures of functions, and all others with the
 * comments above them.
 */
function readEnclosing(lines: readonly TextLine[], i: number): Pick<ValueStatement, 'outer' | 'functions'> {
  const enclosing = listEnclosing(lines, i)
  const isFunction = ({ text }: TextLine) => functionLine.test(text)
  return {
    outer: enclosing
      .filter((line) => !isFunction(line))
      .flatMap((line) => [spanOf(line), ...listLeadingComment(lines, lines.indexOf(line))]),
    functions: enclosing.filter(isFunction).map(spanOf),
  }
}

/** Returns the comment that ends above a line, as one span, or an empty list. */
function listLeadingComment(lines: readonly TextLine[], i: number): TextSpan[] {
  let top = i
  while (lines[top - 1]?.role === 'comment' || (lines[top - 1]?.role === 'blank' && !lines[top - 1]?.isEmpty))
    top--
  return top < i ? [{ from: (lines[top] as TextLine).from, to: (lines[i] as TextLine).from }] : []
}

function readCode(lines: readonly TextLine[], i: number, at: number): StatementSpans {
  const line = lines[i] as TextLine
  const { outer, functions } = readEnclosing(lines, i)
  const comment = listLeadingComment(lines, i)
  const next = lines[i + 1]
  const follows = next && conditionLine.test(line.text) ? [spanOf(next)] : []
  const { own: ownSpan, before } = readSetting(line, at)
  const lead = [...(before ? [before] : []), ...follows]
  // A comment in the body of a function describes several statements.
  return functions.length > 0
    ? { own: ownSpan, lead, outer: [...outer, ...comment], functions }
    : { own: ownSpan, lead: [...lead, ...comment], outer, functions }
}

/**
 * Returns the part of a line of code to which a value belongs: of several settings in brackets, the setting
 * of the value. The text before the bracket then says what the settings are for. Returns other lines whole.
 */
function readSetting(line: TextLine, at: number): { own: TextSpan; before?: TextSpan } {
  const { from, text } = line
  const head = text.slice(0, at - from)
  const open = Math.max(head.lastIndexOf('('), head.lastIndexOf('{'))
  const pieces = text.slice(open + 1).split(',')
  if (open < 0 || pieces.length < 2) return { own: spanOf(line) }
  let start = from + open + 1
  for (const piece of pieces) {
    const end = start + piece.length
    if (at < end) {
      const isSetting = /[:=]/.test(piece)
      return isSetting
        ? { own: { from: start, to: end }, before: { from, to: from + open } }
        : { own: spanOf(line) }
    }
    start = end + 1
  }
  return { own: spanOf(line) }
}
