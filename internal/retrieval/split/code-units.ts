// Units of a program: a definition with the comment above it, from its first line to its end.
import { readDefinition } from '../../search/symbols/definitions.ts'
import { isBlank } from './blocks.ts'

/** Indices of lines, from 0, inclusive. */
export interface CodeUnit {
  /** First line of the comment or decorator above the definition, else the line of the definition. */
  from: number
  /** Line that names the definition. */
  line: number
  to: number
  indent: number
  name: string
  /** True if the unit consists of other units, such as the methods of a class. */
  isContainer: boolean
}

const comment = new RegExp(
  String.raw`^\s*(?:\/\/|\/\*|\*(?:\s|\/|$)|#(?!\s*(?:include|define|if|endif|else|elif|pragma|undef|\[))|` +
    `--|;;|"""|''')`,
)
const decorator = /^\s*(?:@[\w.]+|#!?\[|\[[A-Z]\w*)/
/** Maximum length of a line that can define a name. Longer lines are generated. */
const maxDefinitionChars = 1_000
/** Maximum indent of a definition that begins a unit: a method of a nested class. */
const maxIndent = 8

const containers = new RegExp(
  '^(?:class|struct|interface|namespace|mod|module|trait|object|protocol|extension|enum|union|record|' +
    'service|type)$',
)
const isImplementation = (line: string) => /^\s*(?:unsafe\s+)?impl\b/.test(line)

/** Line that ends what the lines before it have opened. */
const closer = /^\s*(?:[)}\]]|end\b|fi\b|done\b|esac\b)/
/** Line that opens a further block. */
const opener = /(?:[({[]|=>|\bdo|\bthen|:)\s*$/
/** Line that continues a statement of the same indent, as in C: a brace, a label, a directive. */
const continued = /^\s*(?:\{|else\b|elif\b|except\b|finally\b|rescue\b|ensure\b|catch\b|[A-Za-z_]\w*:\s*$)/
const directive = /^\s*#\s*(?:if|ifdef|ifndef|else|elif|endif|define|undef|pragma)\b/

const isCommentLine = (line: string): boolean => comment.test(line) || decorator.test(line)

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
 * Returns the units in the order of their lines. A unit inside of a function is left out, because it is a
 * step of the function; a unit inside of a container follows its container.
 */
export function listCodeUnits(lines: readonly string[], path: string): CodeUnit[] {
  const out: CodeUnit[] = []
  const open: CodeUnit[] = []
  const inside = linesInsideText(lines)
  let begin = -1
  for (const [i, line] of lines.entries()) {
    while (open.length > 0 && (open.at(-1) as CodeUnit).to < i) open.pop()
    if (isBlank(line)) {
      begin = -1
      continue
    }
    if (isCommentLine(line) && !inside.has(i)) {
      if (begin < 0) begin = i
      continue
    }
    const parent = open.at(-1)
    if ((parent && !parent.isContainer) || inside.has(i)) continue
    const unit = unitAt(lines, i, path, inside)
    if (unit) {
      // a comment between two blank lines belongs to no definition
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
  inside: ReadonlySet<number>,
): CodeUnit | undefined {
  const line = lines[at] as string
  const indent = indentOf(line)
  if (indent > maxIndent || line.length > maxDefinitionChars) return undefined
  const isBlock = isImplementation(line)
  const definition = readDefinition(path, line)
  if (!definition && !isBlock) return undefined
  // no one searches for a local variable
  if (indent > 0 && definition && /^(?:const|let|var|variable)$/.test(definition.kind)) return undefined
  const to = endOfUnit(lines, at, indent, inside)
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

/** Returns the last line of the definition at line `at`, by the indents of the lines after it. */
function endOfUnit(
  lines: readonly string[],
  at: number,
  indent: number,
  inside: ReadonlySet<number>,
): number {
  let end = at
  let isOpen = isOpening(lines[at] as string)
  for (let i = at + 1; i < lines.length; i++) {
    const line = lines[i] as string
    if (isBlank(line)) continue
    const own = indentOf(line)
    if (own > indent || inside.has(i)) {
      // after a blank line, only lines of an open block belong to the unit
      if (!isOpen && isBlank(lines[i - 1] as string) && !inside.has(i)) break
      end = i
      if (own > indent && isOpening(line)) isOpen = true
      continue
    }
    if (own < indent && !directive.test(line)) break
    if (closer.test(line)) {
      end = i
      isOpen = opener.test(line)
      if (!isOpen) break
      continue
    }
    if (isOpen && directive.test(line)) continue
    if (!continued.test(line) || (!isOpen && !/^\s*\{/.test(line))) break
    end = i
    isOpen = true
  }
  return end
}

/** Returns whether a line opens a block, without strings and comments. */
function isOpening(line: string): boolean {
  const bare = line.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/.*$/g, '').trimEnd()
  const count = (chars: RegExp) => bare.match(chars)?.length ?? 0
  return count(/[({[]/g) > count(/[)}\]]/g) || /(?::|=>|\bdo|\bthen|=)\s*(?:#.*)?$/.test(bare)
}

/** Returns the lines that begin inside of a text of several lines: a docstring or a template. */
function linesInsideText(lines: readonly string[]): ReadonlySet<number> {
  const out = new Set<number>()
  let mark: string | undefined
  for (const [i, line] of lines.entries()) {
    if (mark !== undefined) out.add(i)
    if (line.length > maxDefinitionChars) continue
    for (const [found] of line.matchAll(/"""|'''/g)) {
      if (mark === undefined) mark = found
      else if (mark === found) mark = undefined
    }
  }
  return out
}
