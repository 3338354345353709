// An OpenDocument text, spreadsheet or presentation (ODT, ODS, ODP) as a document.
import { createBlockList } from '../block-list.ts'
import type { DocumentContent } from '../document-text.ts'
import { createGapList } from '../gap-list.ts'
import { parseMarkup } from '../markup-events.ts'
import { collectBlocks, type ReadingBudget, UnreadableDocument } from '../reading-budget.ts'
import { openZip } from '../zip-archive.ts'
import { eachOpenTag } from './office-parts.ts'
import { OpenHandler, type OpenKind } from './open-document-handler.ts'
import { addOpenHeads } from './open-heads.ts'
import { readOpenObjects } from './open-objects.ts'

export async function readOpenDocument(
  bytes: Buffer,
  kind: OpenKind,
  budget: ReadingBudget,
): Promise<DocumentContent> {
  const zip = await openZip(bytes, kind.toUpperCase(), budget)
  await eachOpenTag(zip, 'META-INF/manifest.xml', budget, (tag) => {
    if (tag === 'encryption-data') throw new UnreadableDocument('it is encrypted')
  })
  const stream = await zip.stream('content.xml')
  if (!stream) throw new UnreadableDocument(`it is not an ${kind.toUpperCase()} file: it has no content.xml`)
  const list = createBlockList(budget)
  const gaps = createGapList()
  const content = await collectBlocks(list, async () => {
    const objects = await readOpenObjects(zip, gaps, budget)
    await parseMarkup(stream, 'xml', new OpenHandler({ kind, list, gaps, objects }), budget)
    if (kind !== 'odp') await addOpenHeads(zip, { kind, list, gaps }, budget)
    return {}
  })
  const notes = gaps.notes()
  return { ...content, notes: notes.length > 0 ? notes : undefined }
}
