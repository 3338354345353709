// Text of drawings in Office files: the paragraphs of text boxes and diagrams.
import type { MarkupHandler } from '../markup-events.ts'
import { parseMarkup } from '../markup-events.ts'
import type { ReadingBudget } from '../reading-budget.ts'
import type { ZipArchive } from '../zip-archive.ts'
import { localName } from './office-parts.ts'

/** Returns the paragraphs of a part; empty for a part that is missing or has no text. */
export async function readDrawingText(
  zip: ZipArchive,
  part: string,
  budget: ReadingBudget,
): Promise<string[]> {
  const texts: string[] = []
  const stream = await zip.stream(part)
  if (stream)
    await parseMarkup(
      stream,
      'xml',
      createDrawingHandler((text) => texts.push(text), budget),
      budget,
    )
  return texts
}

/**
 * Returns a handler that calls `add` with each paragraph that has text, and forwards all events to `see`,
 * with names without prefixes. It skips the copy of a drawing for older programs.
 */
export function createDrawingHandler(
  add: (text: string) => void,
  budget: ReadingBudget,
  see: Partial<MarkupHandler> = {},
): MarkupHandler {
  let text = ''
  let inText = false
  let fallback = 0
  return {
    open(raw, attributes) {
      const name = localName(raw)
      if (name === 'Fallback' || fallback > 0) fallback++
      if (fallback > 0) return
      see.open?.(name, attributes)
      if (name === 'p') text = ''
      else if (name === 't') inText = true
      else if (name === 'br') text += '\n'
    },
    text(part) {
      if (fallback > 0) return
      see.text?.(part)
      if (inText) text = budget.grow(text, part)
    },
    close(raw) {
      const name = localName(raw)
      if (fallback > 0) {
        fallback--
        return
      }
      if (name === 't') inText = false
      else if (name === 'p' && text.trim() !== '') {
        add(text)
        text = ''
      }
      see.close?.(name)
    },
  }
}
