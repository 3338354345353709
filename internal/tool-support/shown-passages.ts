// Passages of sources that a result has shown, read from numbered text and from lines of a search.
import type { ShownPassage } from '../tool/tool.ts'

/** Longest excerpt of a source that is stored, in characters. A longer excerpt is cut. */
const maxExcerptChars = 262_144

/**
 * Returns the passages in numbered lines as the tool `read` prints them. Lines in brackets are notes
 * of the tool.
 */
export function passagesOfText(path: string, text: string): ShownPassage[] {
  const numbered = text.split('\n').flatMap((line) => {
    const match = /^(\d+)\t(.*)$/s.exec(line)
    return match ? [{ line: Number(match[1]), text: match[2] as string }] : []
  })
  return numbered.length > 0 ? [joinLines(path, numbered)] : []
}

/**
 * Returns the passages of each file with the status `read`, from the numbered lines below the banner with its
 * name. A similar line within a file has a number, so it is not mistaken for a banner.
 */
export function passagesOfFiles(
  files: readonly { path: string; status: string }[],
  text: string,
  banner: (path: string) => string,
): ShownPassage[] {
  const lines = text.split('\n')
  let at = 0
  return files.flatMap(({ path, status }) => {
    const from = lines.indexOf(banner(path), at)
    if (from < 0) return []
    at = from + 1
    const next = lines.findIndex((line, i) => i >= at && /^===== .* =====$/.test(line))
    return status === 'read'
      ? passagesOfText(path, lines.slice(at, next < 0 ? undefined : next).join('\n'))
      : []
  })
}

/**
 * Returns the passages in lines that a search found, by file; hits without a line show nothing. With
 * `shownText`, only files that occur in this text count, in its order, because a long result is truncated. If
 * none occurs, all count.
 */
export function passagesOfHits(
  hits: readonly { path: string; line?: number; text?: string }[],
  shownText?: string,
): ShownPassage[] {
  const byPath = new Map<string, { line: number; text: string }[]>()
  for (const { path, line, text } of hits) {
    if (line === undefined || text === undefined) continue
    const pathLines = byPath.get(path) ?? []
    if (!pathLines.some((other) => other.line === line)) pathLines.push({ line, text })
    byPath.set(path, pathLines)
  }
  const placeOf = (path: string) => shownText?.indexOf(path) ?? 0
  const named = [...byPath].filter(([path]) => placeOf(path) >= 0)
  // The shown text may write paths in another form, so if it names none of these, all files count.
  const ordered = (named.length > 0 ? named : [...byPath]).sort(([a], [b]) => placeOf(a) - placeOf(b))
  return ordered.map(([path, lines]) =>
    joinLines(
      path,
      lines.sort((a, b) => a.line - b.line),
    ),
  )
}

function joinLines(canonical: string, lines: readonly { line: number; text: string }[]): ShownPassage {
  const ranges: [number, number][] = []
  for (const { line } of lines) {
    const last = ranges.at(-1)
    if (last && line === last[1] + 1) last[1] = line
    else ranges.push([line, line])
  }
  return {
    canonical,
    locator: ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(','),
    excerpt: lines
      .map(({ text }) => text)
      .join('\n')
      .slice(0, maxExcerptChars),
  }
}
