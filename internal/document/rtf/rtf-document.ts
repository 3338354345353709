// An RTF file as a document: its text with tables, notes and comments, and notes for what is not read.
import { createBlockList } from '../block-list.ts'
import type { DocumentContent } from '../document-text.ts'
import { createGapList } from '../gap-list.ts'
import { collectBlocks, type ReadingBudget, UnreadableDocument } from '../reading-budget.ts'
import { RtfOutput } from './rtf-output.ts'
import { RtfReader } from './rtf-reader.ts'
import { readRtfTokens } from './rtf-tokens.ts'

const pauseEvery = 20_000

export async function readRtfDocument(bytes: Buffer, budget: ReadingBudget): Promise<DocumentContent> {
  const source = bytes.toString('latin1')
  if (!/^(?:\xef\xbb\xbf)?\s*\{\\rtf/.test(source)) throw new UnreadableDocument('it is not an RTF file')
  const list = createBlockList(budget)
  const gaps = createGapList()
  const output = new RtfOutput(list)
  const reader = new RtfReader(output, gaps)
  const content = await collectBlocks(list, async () => {
    let count = 0
    for (const token of readRtfTokens(source)) {
      if (++count % pauseEvery === 0) await budget.pause()
      reader.take(token)
    }
    reader.end()
    output.end()
    return {}
  })
  const { title } = reader
  const notes = gaps.notes()
  return { title: title || undefined, ...content, notes: notes.length > 0 ? notes : undefined }
}
