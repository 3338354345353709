// An HTML page as a document: its paragraphs, counted from the first.
import { createBlockList } from './block-list.ts'
import type { DocumentContent } from './document-text.ts'
import { readHtmlBlocks } from './html-blocks.ts'
import { decodeUnknown } from './markup-events.ts'
import { collectBlocks, type ReadingBudget, UnreadableDocument } from './reading-budget.ts'

const charset = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})/i

export async function readHtmlDocument(bytes: Buffer, budget: ReadingBudget): Promise<DocumentContent> {
  const page = decodeUnknown(bytes, charset.exec(bytes.toString('latin1', 0, 4_096))?.[1])
  if (page.includes('\0')) throw new UnreadableDocument('it is not text')
  const list = createBlockList(budget)
  const place = () => `paragraph ${list.blocks.length + 1}`
  return collectBlocks(list, () => readHtmlBlocks(page, list, place, budget))
}
