// Splitter of code into whole definitions with their comments. A definition that is too long for one passage
// is split at blank lines, and each part keeps the name.
import { charsOf, isBlank, type LineBlock, trimBlock } from './blocks.ts'
import { type CodeUnit, listCodeUnits } from './code-units.ts'

/**
 * Size in characters up to which several blocks of code share a passage. It is smaller than for prose,
 * because each definition has its own subject. A single definition may be larger, up to `maxUnitChars`.
 */
export const maxCodeChars = 1_200

/** Size in characters up to which a definition stays whole. A longer one is split at its blank lines. */
export const maxUnitChars = 1_500

export function splitCode(lines: readonly string[], path: string): LineBlock[] {
  const blocks: LineBlock[] = []
  const open: CodeUnit[] = []
  let from = 0
  const push = (to: number) => {
    const block = trimBlock(lines, { from, to, heading: '', symbol: '' })
    if (block.from <= block.to) blocks.push({ ...block, symbol: open.map(({ name }) => name).join(' ') })
    from = Math.max(from, to + 1)
  }
  const closeBefore = (at: number) => {
    while (open.length > 0 && (open.at(-1) as CodeUnit).to < at) {
      push((open.at(-1) as CodeUnit).to)
      open.pop()
    }
  }
  for (const unit of listCodeUnits(lines, path)) {
    closeBefore(unit.line)
    push(unit.from - 1)
    open.push(unit)
  }
  closeBefore(lines.length)
  push(lines.length - 1)
  return blocks.flatMap((block) => cutAtBlankLines(lines, block))
}

/**
 * Splits a block of more than `maxUnitChars` characters at its blank lines. The caller later joins short
 * parts into passages.
 */
function cutAtBlankLines(lines: readonly string[], block: LineBlock): LineBlock[] {
  if (charsOf(lines, block.from, block.to) <= maxUnitChars) return [block]
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
