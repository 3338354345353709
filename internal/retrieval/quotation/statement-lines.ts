// Lines of a quote with their roles, and the lines that introduce other lines.

/** Characters from index `from` up to, but not including, index `to`. */
export interface TextSpan {
  from: number
  to: number
}

/** A line with spaces in place of comment marks. */
export interface TextLine {
  /** Index in the quote of the first character of the line. */
  from: number
  text: string
  /** Number of white-space characters before the text; -1 for a line without text. */
  indent: number
  role: 'blank' | 'text' | 'comment' | 'code' | 'row' | 'rule' | 'title'
  /** True if a list item, a key such as `Default:` or a tag such as `@default` begins with the line. */
  opens: boolean
  /** True if the line is part of an example. */
  isExample: boolean
  /** True if the line has no text and no comment mark either. */
  isEmpty: boolean
}

const fence = /^\s*(?:```|~~~)/
const title = /^\s*#{1,6}\s/
const tableRow = /^\s*\|.*\|\s*$/
const tableRule = /^\s*\|[\s:|-]*-{2,}[\s:|-]*\|\s*$/
const opening = new RegExp(
  String.raw`^\s*(?:[-+•]\s|\*\s+(?=\S)|\d{1,3}[.)]\s|@\w|=item\b|\.(?:IP|TP|It)\b|` +
    String.raw`(?:\*\*)?\p{Lu}[\p{L} ]{0,20}(?:\*\*)?:(?:\*\*)?(?:\s|$))`,
  'u',
)
/** Matches a line of reStructuredText whose indented block is shown as it is. */
const literalStart = /::\s*$|^\s*\.\. (?:code|testcode|sourcecode)/
const lineComment = /^\s*(?:\/\/[/!]*|#(?!\s*(?:define|include|if|else|elif|endif|undef|pragma)\b|\[)|--|;+)/
const blockStart = /^\s*(?:\/\*+!?|"""|''')/
const exampleTag = /^\s*@example\b/i

const toSpaces = (marks: string): string => ' '.repeat(marks.length)

/**
 * Returns a function that replaces the comment marks of the next line by spaces, and says whether it
 * is a comment.
 */
function createCommentReader(): (raw: string) => { text: string; isComment: boolean } {
  let ending: string | undefined
  const strip = (text: string) =>
    text.replace(/^\s*\*(?![*\w])/, toSpaces).replace(/(?:\*\/|"""|''')\s*$/, toSpaces)
  return (raw) => {
    if (ending !== undefined) {
      if (raw.includes(ending)) ending = undefined
      return { text: strip(raw), isComment: true }
    }
    const start = blockStart.exec(raw)?.[0]
    if (start !== undefined) {
      const text = raw.replace(blockStart, toSpaces)
      ending = start.includes('/*') ? '*/' : start.trimStart()
      if (text.includes(ending)) ending = undefined
      return { text: strip(text), isComment: true }
    }
    return lineComment.test(raw)
      ? { text: raw.replace(lineComment, toSpaces), isComment: true }
      : { text: raw, isComment: false }
  }
}

/** Splits a quote into its lines. `isCode` is true for code and for files of settings. */
export function readTextLines(quote: string, isCode: boolean): TextLine[] {
  const readComment = createCommentReader()
  let from = 0
  let isFenced = false
  let isTagged = false
  /** Indentation of the line above a block that is shown as it is; -1 outside of such a block. */
  let literal = -1
  return quote.split('\n').map((raw): TextLine => {
    const { text, isComment } = isCode ? readComment(raw) : { text: raw, isComment: false }
    if (fence.test(text)) isFenced = !isFenced
    const indent = text.search(/\S/)
    const isBlank = !/[\p{L}\p{N}]/u.test(text)
    if (!isComment) isTagged = false
    else if (/^\s*@\w/.test(text)) isTagged = exampleTag.test(text)
    if (!isBlank && indent <= literal) literal = -1
    const isExample = isFenced || isTagged || literal >= 0
    const role = isCode ? (isComment ? 'comment' : 'code') : isExample ? 'code' : roleOfText(text)
    if (role === 'text' && literalStart.test(text)) literal = indent
    const line: TextLine = {
      from,
      text,
      indent,
      role: isBlank && role !== 'rule' ? 'blank' : role,
      opens: role !== 'code' && opening.test(text),
      isExample,
      isEmpty: raw.trim() === '',
    }
    from += raw.length + 1
    return line
  })
}

function roleOfText(text: string): TextLine['role'] {
  if (tableRule.test(text)) return 'rule'
  if (tableRow.test(text)) return 'row'
  return title.test(text) ? 'title' : 'text'
}

export const spanOf = ({ from, text }: TextLine): TextSpan => ({ from, to: from + text.length })

/** Largest number of lines above a paragraph in which an introduction of it is searched. */
const maxIntroduction = 40

/**
 * Returns the lines above a paragraph that introduce it: the list items that contain it, a line that ends
 * with a colon, a title.
 */
export function listIntroductions(lines: readonly TextLine[], first: number): TextLine[] {
  const firstLine = lines[first] as TextLine
  const out: TextLine[] = []
  let { indent } = firstLine
  for (let at = first - 1; at >= Math.max(0, first - maxIntroduction); at--) {
    const line = lines[at] as TextLine
    if (line.role === 'blank' || line.role === 'rule') continue
    if (line.role !== firstLine.role) break
    const isWider = line.indent < indent
    const isColon = line.indent === indent && !line.opens && firstLine.opens && /:\s*$/.test(line.text)
    if (isWider || isColon) out.push(line)
    if (isWider) indent = line.indent
    else if (!firstLine.opens && line.indent === indent) break
  }
  const heading = lines.slice(0, first).findLast(({ role }) => role === 'title')
  return heading ? [...out, heading] : out
}

/** Largest number of enclosing lines of code, such as an `if` in a function, that are returned for a line. */
const maxDepth = 4

/** Returns the lines of code that a line is indented below, the nearest first, at most `maxDepth`. */
export function listEnclosing(lines: readonly TextLine[], at: number): TextLine[] {
  const out: TextLine[] = []
  let indent = lines[at]?.indent ?? 0
  for (let i = at - 1; i >= 0 && indent > 0 && out.length < maxDepth; i--) {
    const line = lines[i] as TextLine
    if (line.role !== 'code' || line.indent >= indent) continue
    out.push(line)
    indent = line.indent
  }
  return out
}
