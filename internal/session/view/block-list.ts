// The conversation of a view: a bounded list of blocks that are added at its end and replaced in place.
import type { CallBlock, ConversationBlock, SessionView } from './session-view.ts'

/** Blocks that a view holds; older ones are counted only. */
const maxBlocks = 500

/** `event` is the one that the block comes from. */
export function addBlock(view: SessionView, event: { pos?: number }, block: ConversationBlock): SessionView {
  const placed = event.pos === undefined ? block : { pos: event.pos, ...block }
  const surplus = Math.max(0, view.blocks.length + 1 - maxBlocks)
  return { ...view, blocks: [...view.blocks.slice(surplus), placed], dropped: view.dropped + surplus }
}

export function findCallBlock(view: SessionView, call: string): CallBlock | undefined {
  const block = view.blocks.findLast((one) => one.kind === 'call' && one.id === call)
  return block?.kind === 'call' ? block : undefined
}

/** Puts the block in the place of the one of the same call. */
export function replaceCallBlock(view: SessionView, block: CallBlock): SessionView {
  const at = view.blocks.findLastIndex((one) => one.kind === 'call' && one.id === block.id)
  return at < 0 ? view : { ...view, blocks: view.blocks.with(at, block) }
}
