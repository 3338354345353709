// Fitting of texts into a limit, in their order: complete if they fit, otherwise cut, at a line end if
// possible, or left out.
import { fenceOf } from '../base/text/quoting/code-fence.ts'

export interface ReviewTextPiece {
  /** Heading above the text. */
  title: string
  text: string
  kind: 'diff' | 'file'
}

/** Smallest number of characters of a shortened text. If less room is left, the text is left out. */
const worthwhile = 1_000

/**
 * Returns the texts in order, each with a title and a fence, in at most `limit` characters. `left` names the
 * missing and the shortened texts: by its first line for a diff, by its title for a file.
 */
export function fitPieces(
  pieces: readonly ReviewTextPiece[],
  limit: number,
): { text: string; left: string[] } {
  const incompleteTexts: string[] = []
  const shownBlocks: string[] = []
  let room = limit
  for (const piece of pieces) {
    const whole = formatPiece(piece)
    if (whole.length <= room) {
      shownBlocks.push(whole)
      room -= whole.length
      continue
    }
    incompleteTexts.push(piece.kind === 'diff' ? (piece.text.split('\n', 1)[0] as string) : piece.title)
    // The shortened text needs the same title and fence, and a line with the number of
    // missing characters (60).
    const space = room - (whole.length - piece.text.length) - 60
    if (space < worthwhile) continue
    const shortText = piece.text.slice(0, space)
    const wholeLines = shortText.slice(0, shortText.lastIndexOf('\n') + 1) || shortText
    const part = formatPiece({
      ...piece,
      text: `${wholeLines}[cut: ${piece.text.length - wholeLines.length} more characters]`,
    })
    shownBlocks.push(part)
    room -= part.length
  }
  return { text: shownBlocks.join(''), left: incompleteTexts }
}

/** Returns the title and the text in a fence of backticks, longer than any row of backticks in the text. */
function formatPiece({ title, text, kind }: ReviewTextPiece): string {
  const fence = fenceOf(text)
  const end = text.endsWith('\n') ? '' : '\n'
  return `${title}:\n${fence}${kind === 'diff' ? 'diff' : ''}\n${text}${end}${fence}\n\n`
}
