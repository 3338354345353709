// A document as lines of text for search, quotes and checks. Headings are marked as in Markdown.
import { parsePlace, placesOverlap } from './document-place.ts'
import type { DocumentBlock } from './document-text.ts'

interface DocumentLines {
  lines: string[]
  /** Place of each line; empty for the blank lines between blocks. */
  places: string[]
}

/**
 * Returns the blocks in order as lines. A blank line comes before each block, except before the first block
 * and before table rows.
 */
export function layOutDocument(blocks: readonly DocumentBlock[]): DocumentLines {
  const lines: string[] = []
  const places: string[] = []
  for (const block of blocks) {
    if (lines.length > 0 && !isTableRow(block)) {
      lines.push('')
      places.push('')
    }
    for (const line of showBlock(block).split('\n')) {
      lines.push(line)
      places.push(block.place)
    }
  }
  return { lines, places }
}

/**
 * Returns the text of the blocks that overlap a place; undefined if no block does or if the place
 * cannot be parsed.
 */
export function textAtPlace(blocks: readonly DocumentBlock[], place: string): string | undefined {
  const targetPlace = parsePlace(place)
  if (!targetPlace) return undefined
  const matches = blocks.filter((block) => {
    const at = parsePlace(block.place)
    return at !== undefined && placesOverlap(targetPlace, at)
  })
  return matches.length === 0 ? undefined : matches.map(showBlock).join('\n')
}

/** Returns whether a block is a table row; no blank line comes before a table row. */
const isTableRow = ({ place }: DocumentBlock) => /(?:^|, )row /.test(place)

function showBlock({ text, heading }: DocumentBlock): string {
  const flat = text.replace(/\s+/g, ' ')
  if (heading === undefined || (heading !== flat && !heading.endsWith(` > ${flat}`))) return text
  return `${'#'.repeat(Math.min(6, heading.split(' > ').length))} ${flat}`
}
