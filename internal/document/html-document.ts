// An HTML page as a document: its paragraphs, counted from the first.
import { decodeAnyText, describeGuess } from '../base/text/detect-encoding.ts'
import { createBlockList } from './block-list.ts'
import type { DocumentContent } from './document-text.ts'
import { readHtmlBlocks } from './html-blocks.ts'
import { collectBlocks, type ReadingBudget, UnreadableDocument } from './reading-budget.ts'

const charset = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})/i

export async function readHtmlDocument(bytes: Buffer, budget: ReadingBudget): Promise<DocumentContent> {
  const decoded = await decodeAnyText(bytes, charset.exec(bytes.toString('latin1', 0, 4_096))?.[1])
  if (!decoded) throw new UnreadableDocument('it is not text in a known encoding')
  const guess = describeGuess(decoded)
  const list = createBlockList(budget)
  const place = () => `paragraph ${list.blocks.length + 1}`
  const content = await collectBlocks(list, () => readHtmlBlocks(decoded.text, list, place, budget))
  return { ...content, notes: guess === undefined ? undefined : [guess] }
}
