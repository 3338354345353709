// Text of drawings in Office files: the paragraphs of text boxes and diagrams.
import { parseMarkup } from '../markup-events.ts'
import type { ReadingBudget } from '../reading-budget.ts'
import type { ZipArchive } from '../zip-archive.ts'
import { localName } from './office-parts.ts'

/** Empty for a part that is missing or has no text. A copy for older programs is left out. */
export async function readDrawingText(
  zip: ZipArchive,
  part: string,
  budget: ReadingBudget,
): Promise<string[]> {
  const stream = await zip.stream(part)
  if (!stream) return []
  const texts: string[] = []
  let text = ''
  let inText = false
  let fallback = 0
  const handler = {
    open(raw: string) {
      const name = localName(raw)
      if (name === 'Fallback' || fallback > 0) fallback++
      else if (name === 'p') text = ''
      else if (name === 't') inText = true
      else if (name === 'br') text += '\n'
    },
    text(part: string) {
      if (inText && fallback === 0) text = budget.grow(text, part)
    },
    close(raw: string) {
      const name = localName(raw)
      if (fallback > 0) fallback--
      else if (name === 't') inText = false
      else if (name === 'p' && text.trim() !== '') {
        texts.push(text)
        text = ''
      }
    },
  }
  await parseMarkup(stream, 'xml', handler, budget)
  return texts
}
