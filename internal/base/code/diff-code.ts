// The runs of the lines of a diff: each side of a hunk is read as one text. Pure.
import type { CodeRun } from './code-runs.ts'

interface SignedLine {
  /** `+`, `-` or a space. A line with another sign is a note and not a line of the file. */
  sign: string
  text: string
}

type ReadLines = (text: string) => readonly CodeRun[][] | undefined

/**
 * Returns the runs of each line of one hunk. A removed line is read within the old text; an added or
 * unchanged line is read within the new text. For a note, or a line that cannot be read, the entry is
 * undefined and the line stays plain.
 */
export function readHunkCode(lines: readonly SignedLine[], read: ReadLines): (CodeRun[] | undefined)[] {
  const runs: (CodeRun[] | undefined)[] = lines.map(() => undefined)
  const readSide = (sides: string, owned: string) => {
    const side = [...lines.entries()].filter(([, { sign }]) => sign !== '' && sides.includes(sign))
    if (!side.some(([, { sign }]) => owned.includes(sign))) return
    const lineRuns = read(side.map(([, { text }]) => text).join('\n'))
    for (const [i, [at, { sign }]] of side.entries()) if (owned.includes(sign)) runs[at] = lineRuns?.[i]
  }
  readSide(' -', '-')
  readSide(' +', ' +')
  return runs
}
