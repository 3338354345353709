// Lines of a text with their ends. Only LF and CRLF end a line.

type LineEnd = '' | '\n' | '\r\n'

/**
 * Returns the lines of a text with their ends, split after each LF. The joined lines are the text; an empty
 * text has no lines.
 */
export function splitLines(text: string): string[] {
  const lines: string[] = []
  let from = 0
  while (from < text.length) {
    const at = text.indexOf('\n', from)
    const to = at < 0 ? text.length : at + 1
    lines.push(text.slice(from, to))
    from = to
  }
  return lines
}

/** Returns the end of one line from `splitLines`: LF, CRLF or an empty text. */
export function eolOf(line: string): LineEnd {
  if (!line.endsWith('\n')) return ''
  return line.endsWith('\r\n') ? '\r\n' : '\n'
}

/** Returns a line without its end. */
export function withoutEol(line: string): string {
  return line.slice(0, line.length - eolOf(line).length)
}

/** Returns the kind of line ends of a text: one kind, both kinds, or none. */
export function eolKind(text: string): 'lf' | 'crlf' | 'mixed' | 'none' {
  const crlf = countMatches(text, '\r\n')
  const lf = countMatches(text, '\n') - crlf
  if (crlf === 0) return lf === 0 ? 'none' : 'lf'
  return lf === 0 ? 'crlf' : 'mixed'
}

/**
 * Returns the line end to write near `index`: that of its line, else of the previous line, else undefined.
 */
export function eolNear(text: string, index: number): Exclude<LineEnd, ''> | undefined {
  let at = text.indexOf('\n', index)
  if (at < 0) at = text.lastIndexOf('\n', index)
  if (at < 0) return undefined
  return text[at - 1] === '\r' ? '\r\n' : '\n'
}

/** Returns the text with every LF and CRLF replaced by `eol`. A last line without an end gets none. */
export function withEol(text: string, eol: Exclude<LineEnd, ''>): string {
  return text.replace(/\r?\n/g, () => eol)
}

/** Returns the number, from 1, of the line that contains `index`. */
export function lineAt(text: string, index: number): number {
  return countMatches(text.slice(0, index), '\n') + 1
}

function countMatches(text: string, part: string): number {
  let n = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) n++
  return n
}
