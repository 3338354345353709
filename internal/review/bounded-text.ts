// Fitting of texts into a limit, in their order: complete if they fit, otherwise cut at a line end
// or left out.

export interface ReviewTextPiece {
  /** Heading above the text. */
  title: string
  text: string
  kind: 'diff' | 'file'
}

/** Smallest number of remaining characters for which a further text is cut to fit. */
const worthwhile = 1_000

/**
 * Returns the pieces in order, with headings and fences, in at most `limit` characters. `left` lists the
 * missing and the cut pieces by the first line of a diff or the heading of a file.
 */
export function fitPieces(
  pieces: readonly ReviewTextPiece[],
  limit: number,
): { text: string; left: string[] } {
  const left: string[] = []
  const shown: string[] = []
  let room = limit
  for (const piece of pieces) {
    const whole = block(piece)
    if (whole.length <= room) {
      shown.push(whole)
      room -= whole.length
      continue
    }
    left.push(piece.kind === 'diff' ? (piece.text.split('\n', 1)[0] as string) : piece.title)
    // The cut text needs the same frame, and a line with the number of missing characters.
    const space = room - (whole.length - piece.text.length) - 60
    if (space < worthwhile) continue
    const cut = piece.text.slice(0, space)
    const kept = cut.slice(0, cut.lastIndexOf('\n') + 1) || cut
    const part = block({ ...piece, text: `${kept}[cut: ${piece.text.length - kept.length} more characters]` })
    shown.push(part)
    room -= part.length
  }
  return { text: shown.join(''), left }
}

/** Returns the text in a fence that no part of it can close. */
function block({ title, text, kind }: ReviewTextPiece): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const end = text.endsWith('\n') ? '' : '\n'
  return `${title}:\n${fence}${kind === 'diff' ? 'diff' : ''}\n${text}${end}${fence}\n\n`
}
