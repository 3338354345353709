// Blocks of lines, and the function that packs them into passages.
import { maxPassageChars, type TextPassage } from '../passage.ts'

/** Lines that belong together. `from` and `to` are 0-based indices, inclusive. */
export interface LineBlock {
  from: number
  to: number
  heading: string
  symbol: string
  /**
   * True if the block should be in the same passage as the next block, such as a title, the head of a table
   * or a paragraph that ends in a colon.
   */
  leads?: boolean
  /**
   * Text above the block that introduces it, such as "Options:" above a list. A passage that begins with this
   * block has it in its heading.
   */
  introduces?: string
  /**
   * Names of the columns, on a row of a table. A passage that begins with this row has them in its heading.
   */
  tableHead?: string
}

export const isBlank = (line: string): boolean => line.trim() === ''

/** Returns the number of characters in the lines `from` to `to`, with one for the end of each line. */
export function charsOf(lines: readonly string[], from: number, to: number): number {
  let sum = 0
  for (let i = from; i <= to; i++) sum += (lines[i] as string).length + 1
  return sum
}

/**
 * Packs adjacent blocks with one heading, and bare titles above them, into passages of at most `room`
 * characters. A block of up to `largest` characters stays whole, even above `room`. A larger one is split
 * between its lines, preferably at blank lines; a single line stays whole.
 */
export function packBlocks(
  lines: readonly string[],
  blocks: readonly LineBlock[],
  room: number = maxPassageChars,
  largest: number = room,
): TextPassage[] {
  const out: TextPassage[] = []
  let open: LineBlock[] = []
  let filled = 0
  const flush = () => {
    if (open.length > 0) out.push(joinBlocks(open))
    open = []
    filled = 0
  }
  for (const block of blocks.flatMap((one) => cutLong(lines, one, largest))) {
    const size = charsOf(lines, block.from, block.to)
    if (open.length > 0 && (!belongsTo(open, block) || filled + size > room)) {
      const leads = takeLeads(open)
      flush()
      // introductory blocks move to the passage of the block that they introduce, unless both do not fit or
      // their headings do not belong together
      open = leads
      filled = leads.reduce((sum, one) => sum + charsOf(lines, one.from, one.to), 0)
      if (open.length > 0 && (filled + size > room || !belongsTo(open, block))) flush()
    }
    open.push(block)
    filled += size
  }
  flush()
  return out
}

/**
 * Returns true if the block has the same heading as the blocks of the passage that is being filled. A title
 * without text belongs to the first section below it.
 */
function belongsTo(open: readonly LineBlock[], block: LineBlock): boolean {
  const openHeading = open[0]?.heading ?? ''
  if (openHeading === block.heading) return true
  const isBare = open.every(({ leads }) => leads === true)
  return isBare && (openHeading === '' || block.heading.startsWith(`${openHeading} > `))
}

/**
 * Removes the last blocks that introduce the next one, and returns them. If no other block would remain, they
 * stay, and the result is empty.
 */
function takeLeads(open: LineBlock[]): LineBlock[] {
  let keep = open.length
  while (keep > 0 && open[keep - 1]?.leads === true) keep--
  return keep === 0 ? [] : open.splice(keep)
}

function joinBlocks(blocks: readonly LineBlock[]): TextPassage {
  const first = blocks[0] as LineBlock
  const last = blocks.at(-1) as LineBlock
  const symbols = [...new Set(blocks.flatMap(({ symbol }) => symbol.split(' ')))].filter(
    (name) => name !== '',
  )
  const inside = [first.introduces, first.tableHead].filter((text) => text !== undefined && text !== '')
  return {
    from: first.from + 1,
    to: last.to + 1,
    heading: [last.heading, ...inside].filter((text) => text !== '').join(' > '),
    symbol: symbols.slice(0, 40).join(' '),
  }
}

function cutLong(lines: readonly string[], block: LineBlock, room: number): LineBlock[] {
  if (block.from === block.to || charsOf(lines, block.from, block.to) <= room) return [block]
  const out: LineBlock[] = []
  let from = block.from
  let filled = 0
  let blankAt = -1
  for (let i = block.from; i <= block.to; i++) {
    const size = (lines[i] as string).length + 1
    while (filled + size > room && i > from) {
      const end = blankAt > from ? blankAt : i - 1
      out.push({ ...block, from, to: end })
      from = end + 1
      filled = from <= i - 1 ? charsOf(lines, from, i - 1) : 0
      blankAt = -1
    }
    filled += size
    if (isBlank(lines[i] as string)) blankAt = i
  }
  if (from <= block.to) out.push({ ...block, from, to: block.to })
  return out.map((part) => trimBlock(lines, part)).filter((part) => part.from <= part.to)
}

/**
 * Returns the block without blank lines at its ends. If all its lines are blank, `from` is greater than `to`.
 */
export function trimBlock(lines: readonly string[], block: LineBlock): LineBlock {
  let { from, to } = block
  while (from <= to && isBlank(lines[from] as string)) from++
  while (to >= from && isBlank(lines[to] as string)) to--
  return { ...block, from, to }
}
