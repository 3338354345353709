// A message (EML) as a document: its head, the decoded text of its parts, and its attachments by name.
import { countNoun } from '../base/text/count-noun.ts'
import { decodeAnyText, describeGuess } from '../base/text/detect-encoding.ts'
import { createBlockList, isoDate } from './block-list.ts'
import type { DocumentContent } from './document-text.ts'
import { readHtmlBlocks } from './html-blocks.ts'
import { decodeBody, decodeHeader, type MailPart, splitParts } from './mail-parts.ts'
import { collectBlocks, type ReadingBudget, UnreadableDocument } from './reading-budget.ts'

const shownHeaders = ['From', 'To', 'Cc', 'Date', 'Subject']

export async function readMailDocument(bytes: Buffer, budget: ReadingBudget): Promise<DocumentContent> {
  const { headers, parts } = splitParts(bytes.toString('latin1'))
  if (headers.size === 0) throw new UnreadableDocument('it is not a message: it has no header')
  const list = createBlockList(budget)
  const notes = new Set<string>()
  const place = () => `paragraph ${list.blocks.length + 1}`
  const title = await decodeHeader(headers.get('subject') ?? '')
  const sentTime = Date.parse(headers.get('date') ?? '')
  const date = Number.isNaN(sentTime) ? undefined : isoDate(new Date(sentTime).toISOString().slice(0, 10))
  const content = await collectBlocks(list, async () => {
    for (const name of shownHeaders) {
      const value = await decodeHeader(headers.get(name.toLowerCase()) ?? '')
      if (value !== '') list.add(`${name}: ${value}`, place)
    }
    for (const part of parts) {
      await budget.pause()
      await addPart(part)
    }
    return {}
  })

  async function addPart(part: MailPart): Promise<void> {
    const body = decodeBody(part)
    if (part.attachment !== undefined || !part.type.startsWith('text/')) {
      const name = (await decodeHeader(part.attachment ?? '')) || 'without a name'
      list.add(`[attachment: ${name}, ${part.type}, ${countNoun(body.length, 'byte')}; not read]`, place)
      return
    }
    const decoded = await decodeAnyText(body, part.charset)
    if (!decoded) {
      list.add(`[${part.type} in an unknown encoding: not read]`, place)
      return
    }
    const guess = describeGuess(decoded)
    if (guess !== undefined) notes.add(guess)
    if (part.type === 'text/html') await readHtmlBlocks(decoded.text, list, place, budget)
    else for (const paragraph of decoded.text.split(/(?:\r?\n[ \t]*){2,}/)) list.add(paragraph, place)
  }

  return { title: title || undefined, date, ...content, notes: notes.size > 0 ? [...notes] : undefined }
}
