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
  /** True if the unit contains other units, such as a class with methods. */
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
 * Matches lines that continue a statement although they have the same indent, as in C: a brace, a
 * label, a directive.
 */
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
 * Returns the units in the order of their lines. A unit inside a function is left out, because it is a step
 * of the function. A unit inside a container such as a class follows its container.
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
  inside: ReadonlySet<number>,
): CodeUnit | undefined {
  const line = lines[at] as string
  const indent = indentOf(line)
  if (indent > maxIndent || line.length > maxDefinitionChars) return undefined
  const isBlock = isImplementation(line)
  const definition = readDefinition(path, line)
  if (!definition && !isBlock) return undefined
  // Local variables are not units, because users do not search for them.
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
      // After a blank line, a line belongs to the unit only if a block is still open.
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

/** Returns true if a line opens a block; strings and comments in it are ignored. */
function isOpening(line: string): boolean {
  const bare = line.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/.*$/g, '').trimEnd()
  const count = (chars: RegExp) => bare.match(chars)?.length ?? 0
  return count(/[({[]/g) > count(/[)}\]]/g) || /(?::|=>|\bdo|\bthen|=)\s*(?:#.*)?$/.test(bare)
}

/** Returns the lines that begin inside a text of several lines, such as a docstring or a template. */
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
