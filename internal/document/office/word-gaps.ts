// Places of what is not read in a Word file: the paragraph or row with it, and the heading above.
import type { BlockList } from '../block-list.ts'
import type { GapKind, GapList } from '../gap-list.ts'

interface WordGaps {
  add(kind: GapKind): void
  /**
   * Called at the end of each paragraph and row, after a paragraph or row with text was added to the list.
   */
  endBlock(): void
}

/**
 * Returns a collector that adds each gap with its place. A gap in a paragraph without text gets the place
 * after the previous paragraph.
 */
export function createWordGaps(gaps: GapList, list: BlockList): WordGaps {
  let waiting: { kind: GapKind; before: number }[] = []
  return {
    add(kind) {
      waiting.push({ kind, before: list.blocks.length })
    },
    endBlock() {
      if (waiting.length === 0) return
      for (const { kind, before } of waiting) gaps.add(kind, describePlace(list, before))
      waiting = []
    },
  }
}

function describePlace({ blocks }: BlockList, before: number): string {
  const block = blocks.length > before ? blocks[blocks.length - 1] : blocks[before - 1]
  if (!block) return 'before the first paragraph'
  const name = blocks.length > before ? block.place : `after ${block.place}`
  const heading = block.heading?.split(' > ').at(-1)
  return heading === undefined || heading === block.text ? name : `${name} under “${heading.slice(0, 60)}”`
}
