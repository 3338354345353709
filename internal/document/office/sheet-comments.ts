// Comments of the cells of a sheet of a workbook.
import { parseMarkup } from '../markup-events.ts'
import type { ReadingBudget } from '../reading-budget.ts'
import type { ZipArchive } from '../zip-archive.ts'
import { localName, readRelations } from './office-parts.ts'

interface CommentTarget {
  add(text: string, place: () => string): void
  section: number
}

/**
 * Adds the comments of a sheet below its rows, each with the row of its cell. Skips empty comments, and
 * copies of comments with replies that the file contains for older programs.
 */
export async function addSheetComments(
  zip: ZipArchive,
  sheet: string,
  { add, section }: CommentTarget,
  budget: ReadingBudget,
): Promise<void> {
  for (const { type, target } of (await readRelations(zip, sheet, budget)).values()) {
    if (type !== 'comments' && type !== 'threadedComment') continue
    const stream = await zip.stream(target)
    if (!stream) continue
    let cell = ''
    let text = ''
    let inText = false
    await parseMarkup(
      stream,
      'xml',
      {
        open(raw, attributes) {
          const name = localName(raw)
          if (name === 'comment' || name === 'threadedComment') {
            cell = attributes.ref ?? ''
            text = ''
          }
          if (name === 't' || (name === 'text' && type === 'threadedComment')) inText = true
        },
        text(part) {
          if (inText) text = budget.grow(text, part)
        },
        close(raw) {
          const name = localName(raw)
          if (name === 't' || name === 'text') inText = false
          if (name !== 'comment' && name !== 'threadedComment') return
          // this comment is a copy, for older programs, of a comment with replies that is read separately
          if (/^\[Threaded comment\]/.test(text)) return
          const row = /\d+$/.exec(cell)?.[0]
          if (text.trim() !== '')
            add(`Comment at ${cell}: ${text}`, () => `section ${section}${row ? `, row ${row}` : ''}`)
        },
      },
      budget,
    )
  }
}
