// Splitter of code into comments with their definitions. Long definitions are split at blank lines
// and keep their name.
import { readDefinition } from '../../search/symbols/definitions.ts'
import { charsOf, isBlank, type LineBlock, trimBlock } from './blocks.ts'

const comment =
  /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$)|#(?!\s*(?:include|define|if|endif|else|pragma|undef))|--|;;|"""|''')/
const decorator = /^\s*(?:@[\w.]+|#\[|\[[A-Z]\w*)/
/** Maximum length of a line that can define a name. Longer lines are generated. */
const maxDefinitionChars = 1_000

/**
 * Maximum size of a code passage. It is smaller than for prose, because each definition has its own subject.
 */
export const maxCodeChars = 1_200

interface Definition {
  line: number
  indent: number
  name: string
}

export function splitCode(lines: readonly string[], path: string): LineBlock[] {
  const starts = startsOf(lines, path)
  const blocks: LineBlock[] = []
  const open: Definition[] = []
  let from = 0
  const push = (to: number, names: readonly Definition[]) => {
    const block = trimBlock(lines, { from, to, heading: '', symbol: '' })
    if (block.from > block.to) return
    const symbol = names.map(({ name }) => name).join(' ')
    blocks.push({ ...block, symbol })
  }
  for (const { at, definition } of starts) {
    if (at > from) push(at - 1, open)
    from = Math.max(from, at)
    while (open.length > 0 && (open.at(-1) as Definition).indent >= definition.indent) open.pop()
    open.push(definition)
  }
  push(lines.length - 1, open)
  return blocks.flatMap((block) => cutAtBlankLines(lines, block))
}

const indentOf = (line: string) => {
  let width = 0
  for (const char of line) {
    if (char === ' ') width++
    else if (char === '\t') width += 4
    else break
  }
  return width
}

/** Returns the definitions near the left margin, each starting at the comment above it. */
function startsOf(lines: readonly string[], path: string): { at: number; definition: Definition }[] {
  const out: { at: number; definition: Definition }[] = []
  let begin = -1
  for (const [i, line] of lines.entries()) {
    if (isBlank(line)) {
      begin = -1
      continue
    }
    if (comment.test(line) || decorator.test(line)) {
      if (begin < 0) begin = i
      continue
    }
    const indent = indentOf(line)
    const found = indent <= 8 && line.length <= maxDefinitionChars ? readDefinition(path, line) : undefined
    // no one searches for a local variable
    const isLocal = indent > 0 && found !== undefined && /^(?:const|let|var|variable)$/.test(found.kind)
    if (found && !isLocal)
      out.push({ at: begin < 0 ? i : begin, definition: { line: i, indent, name: found.name } })
    begin = -1
  }
  return out
}

/** Splits a long definition at its blank lines, so that packing can combine the parts. */
function cutAtBlankLines(lines: readonly string[], block: LineBlock): LineBlock[] {
  if (charsOf(lines, block.from, block.to) <= maxCodeChars) return [block]
  const out: LineBlock[] = []
  let from = block.from
  for (let i = block.from; i <= block.to; i++) {
    if (!isBlank(lines[i] as string)) continue
    if (i > from) out.push({ ...block, from, to: i - 1 })
    from = i + 1
  }
  if (from <= block.to) out.push({ ...block, from, to: block.to })
  return out
}
