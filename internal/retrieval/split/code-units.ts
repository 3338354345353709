// Units of a program. A unit is a definition with the comment above it, from its first line to its last.
import { readDefinition } from '../../search/symbols/definitions.ts'
import { isBlank } from './blocks.ts'

/** A unit as indices of lines, from 0. Both ends are included. */
export interface CodeUnit {
  /** First line of the comment or decorator above the definition, else the line of the definition. */
  from: number
  /** Index of the line that contains the name of the definition. */
  line: number
  to: number
  indent: number
  name: string
  /** True if the unit may contain other units, such as a class with methods. */
  isContainer: boolean
}

const comment = new RegExp(
  String.raw`^\s*(?:\/\/|\/\*|\*(?:\s|\/|$)|#(?!\s*(?:include|define|if|endif|else|elif|pragma|undef|\[))|` +
    `--|;;|"""|''')`,
)
const decorator = /^\s*(?:@[\w.]+|#!?\[|\[[A-Z]\w*)/
/** Largest length of a line that can define a name. Longer lines are generated. */
const maxDefinitionChars = 1_000
/** Largest indent of a definition that begins a unit. A method of a nested class has this indent. */
const maxIndent = 8

const containers = new RegExp(
  '^(?:class|struct|interface|namespace|mod|module|trait|object|protocol|extension|enum|union|record|' +
    'service|type)$',
)
const isImplementation = (line: string) => /^\s*(?:unsafe\s+)?impl\b/.test(line)

/** Matches lines that close a block, such as one that begins with a bracket or `end`. */
const closer = /^\s*(?:[)}\]]|end\b|fi\b|done\b|esac\b)/
/** Matches lines that open a further block. */
const opener = /(?:[({[]|=>|\bdo|\bthen|:)\s*$/
/**
 * Matches lines that continue a unit although they have its indent: a brace, a label, or a word
 * such as `else`.
 */
const continued =
  /^\s*(?:\{|else\b|elif\b|except\b|finally\b|rescue\b|ensure\b|catch\b|[A-Za-z_]\w*:(?!:)\s*;?\s*$)/
/** Matches lines that continue a signature before its body. */
const beforeBody = /^\s*(?:\{|where\b)/
const directive = /^\s*#\s*(?:if|ifdef|ifndef|else|elif|endif|define|undef|pragma)\b/

/**
 * Matches a method's line that ends with the opening parenthesis, so that its parameters begin on
 * the next line.
 */
const openMethod =
  /^\s+(?:(?:public|private|protected|static|override|async)\s+)*#?([A-Za-z_$][\w$]*)(?:<[^>]*>)?\(\s*$/
const cFile = /\.(?:c|h|cc|hh|[ch]pp|[ch]xx|m|mm)$/i
const scriptFile = /\.(?:[cm]?[jt]sx?|vue|svelte)$/i

/**
 * Returns true if line `at` is in a comment or begins one. A line that begins with the quote marks of a
 * docstring counts too.
 */
export const isInComment = (lines: readonly string[], at: number, { inComment, inText }: MultilineText) =>
  inComment.has(at) || (!inText.has(at) && comment.test(lines[at] as string))

/** Returns the columns of white space before a line. A tab counts four. */
function indentOf(line: string): number {
  let width = 0
  for (const char of line) {
    if (char === ' ') width++
    else if (char === '\t') width += 4
    else break
  }
  return width
}

/**
 * Returns the units in the order of their lines. A unit inside a function is left out, because it is a step
 * of the function. A unit inside a container such as a class follows its container.
 */
export function listCodeUnits(lines: readonly string[], path: string): CodeUnit[] {
  const out: CodeUnit[] = []
  const open: CodeUnit[] = []
  const texts = findMultilineText(lines, path)
  let begin = -1
  let decoratorEnd = -1
  for (const [i, line] of lines.entries()) {
    while (open.length > 0 && (open.at(-1) as CodeUnit).to < i) open.pop()
    if (isBlank(line) && !texts.inComment.has(i)) {
      begin = -1
      continue
    }
    const isDecorator = decorator.test(line) && !texts.inText.has(i)
    if (isDecorator && isOpening(line)) decoratorEnd = endOfUnit(lines, i, texts)
    if (isInComment(lines, i, texts) || isDecorator || i <= decoratorEnd) {
      if (begin < 0) begin = i
      continue
    }
    const parent = open.at(-1)
    if ((parent && !parent.isContainer) || texts.inText.has(i)) continue
    const unit = unitAt(lines, i, path, texts, parent !== undefined)
    if (unit) {
      // A comment between two blank lines belongs to no definition.
      const own = { ...unit, from: begin < 0 ? i : begin }
      out.push(own)
      open.push(own)
    }
    begin = -1
  }
  return out
}

function unitAt(
  lines: readonly string[],
  at: number,
  path: string,
  texts: MultilineText,
  isMember: boolean,
): CodeUnit | undefined {
  const line = lines[at] as string
  const indent = indentOf(line)
  if (indent > maxIndent || line.length > maxDefinitionChars) return undefined
  const isBlock = isImplementation(line)
  const split = indent === 0 ? readSplitSignature(lines, at, path) : undefined
  const definition =
    readDefinition(path, line) ?? (isMember ? readOpenMethod(path, line) : undefined) ?? split
  if (!definition && !isBlock) return undefined
  // Local variables are not units, because users do not search for them.
  if (indent > 0 && definition && /^(?:const|let|var|variable|member)$/.test(definition.kind))
    return undefined
  const to = endOfUnit(lines, definition === split && split ? at + 1 : at, texts)
  const name = definition?.name ?? /\b([A-Z]\w*)[^A-Z]*$/.exec(line.replace(/<[^>]*>/g, ''))?.[1] ?? ''
  return {
    from: at,
    line: at,
    to,
    indent,
    name,
    isContainer: isBlock || (containers.test(definition?.kind ?? '') && to > at),
  }
}

function readOpenMethod(path: string, line: string): { kind: string; name: string } | undefined {
  const name = scriptFile.test(path) ? openMethod.exec(line)?.[1] : undefined
  return name === undefined ? undefined : { kind: 'method', name }
}

/**
 * Returns the function of C whose type is alone on line `at` and whose name begins the next line;
 * undefined without one.
 */
function readSplitSignature(
  lines: readonly string[],
  at: number,
  path: string,
): { kind: string; name: string } | undefined {
  const isType = cFile.test(path) && /^[A-Za-z_][\w *]*$/.test(lines[at] as string)
  const name = isType ? /^([A-Za-z_]\w*)\s*\([^;]*$/.exec(lines[at + 1] ?? '')?.[1] : undefined
  return name === undefined ? undefined : { kind: 'function', name }
}

/** Returns the last line of the definition or statement at line `at`, by the indents of later lines. */
export function endOfUnit(lines: readonly string[], at: number, texts: MultilineText): number {
  const indent = indentOf(lines[at] as string)
  let end = at
  if (/^\s*#\s*define\b/.test(lines[at] as string)) {
    while (end + 1 < lines.length && /\\\s*$/.test(lines[end] as string)) end++
    return end
  }
  let isOpen = isOpening(lines[at] as string)
  for (let i = at + 1; i < lines.length; i++) {
    const line = lines[i] as string
    if (isBlank(line)) continue
    const own = indentOf(line)
    if (texts.inComment.has(i)) {
      if (isOpen) continue
      break
    }
    const isInside = texts.inText.has(i)
    if (own > indent || isInside) {
      // After a blank line, a line belongs to the unit only if a block is still open.
      if (!isOpen && isBlank(lines[i - 1] as string) && !isInside) break
      end = i
      if (own > indent && isOpening(line)) isOpen = true
      continue
    }
    // A comment may have a smaller indent than its block. So it does not end the unit; the lines
    // after it decide.
    if (isOpen && isInComment(lines, i, texts)) continue
    if (own < indent && !directive.test(line)) break
    if (closer.test(line)) {
      end = i
      isOpen = opener.test(line)
      if (!isOpen) break
      continue
    }
    if (isOpen && directive.test(line)) continue
    if (!beforeBody.test(line) && (!isOpen || !continued.test(line))) break
    end = i
    isOpen = true
  }
  return end
}

/** Returns true if a line opens a block; strings and comments in it are ignored. */
function isOpening(line: string): boolean {
  const bare = line.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/.*$/g, '').trimEnd()
  const count = (chars: RegExp) => bare.match(chars)?.length ?? 0
  return count(/[({[]/g) > count(/[)}\]]/g) || /(?::|=>|\bdo|\bthen|=)\s*(?:#.*)?$/.test(bare)
}

/** Indices of lines that begin inside a string, and of lines that begin inside a block comment. */
export interface MultilineText {
  inText: ReadonlySet<number>
  inComment: ReadonlySet<number>
}

/**
 * Largest length of a line in which open strings and comments are searched. Longer lines are
 * generated by programs.
 */
const maxReadChars = 1_000

const backtickFiles = /\.(?:[cm]?[jt]sx?|vue|svelte|go)$/i
/** Matches files of languages without strings in triple quote marks. */
const noTripleFiles = /\.(?:[cm]?[jt]sx?|vue|svelte|go|rs|c|h|cc|hh|[ch]pp|cxx|hxx)$/i

const blockComment = /^\s*\/\*/
const lineComment = /^\s*(?:\/\/|#(?!")|\*\s)/
const strings = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g
/** Matches regular expressions. A quote mark in them does not begin a string. */
const expressions = /(?<=[=(,:!&|?+[\s])\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\])+\/[a-z]*/g

const toSpaces = (part: string) => ' '.repeat(part.length)

/** A text or comment that is open at the end of a line, with the mark that closes it. */
interface OpenText {
  close: string
  isComment: boolean
}

export function findMultilineText(lines: readonly string[], path: string): MultilineText {
  const inText = new Set<number>()
  const inComment = new Set<number>()
  let open: OpenText | undefined
  for (const [i, line] of lines.entries()) {
    if (open) (open.isComment ? inComment : inText).add(i)
    if (line.length > maxReadChars) continue
    open = openAtEnd(line, open, path)
  }
  return { inText, inComment }
}

/**
 * Returns the text or comment that is open at the end of a line, or undefined. `open` is what was open
 * at its beginning.
 */
function openAtEnd(line: string, open: OpenText | undefined, path: string): OpenText | undefined {
  let rest = line
  if (open) {
    const at = endOf(rest, open.close)
    if (at < 0) return open
    rest = rest.slice(at)
  } else if (blockComment.test(line)) {
    const at = line.indexOf('*/', line.indexOf('/*') + 2)
    if (at < 0) return { close: '*/', isComment: true }
    rest = line.slice(at + 2)
  } else if (lineComment.test(line)) return undefined
  return openText(rest, path)
}

function openText(text: string, path: string): OpenText | undefined {
  let open: string | undefined
  if (!noTripleFiles.test(path))
    for (const [found] of text.matchAll(/"""|'''/g))
      open = open === undefined ? found : open === found ? undefined : open
  else if (path.endsWith('.rs')) open = openRaw(text)
  else if (backtickFiles.test(path)) {
    const bare = text.replace(/\\`/g, '  ').replace(strings, toSpaces).replace(expressions, toSpaces)
    const marks = bare.replace(/\/\/.*$/, '').split('`').length - 1
    if (marks % 2 === 1) open = '`'
  }
  return open === undefined ? undefined : { close: open, isComment: false }
}

/**
 * Returns the mark that closes a raw string of Rust which the text leaves open, such as `"#` after `r#"`;
 * undefined without one.
 */
function openRaw(text: string): string | undefined {
  const opening = /\br(#+)"(?!.*"\1)/.exec(text)
  return opening ? `"${opening[1]}` : undefined
}

/** Returns the index after the first `mark` in `text`, or -1. A backtick after a backslash does not count. */
function endOf(text: string, mark: string): number {
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1))
    if (mark !== '`' || text[at - 1] !== '\\') return at + mark.length
  return -1
}
