// Lines of a unified diff with their line numbers in the file.

export interface NumberedLine {
  kind: 'added' | 'removed' | 'same' | 'hunk'
  /**
   * Line number in the new file, or in the old file for a removed line; undefined for a line that is not
   * in a file.
   */
  number: number | undefined
  /** Line without its sign; complete for a line of the kind `hunk`. */
  text: string
}

/** Numbers the lines; lines before the first hunk header count from 1. */
export function numberHunks(hunks: string): NumberedLine[] {
  let before = 1
  let after = 1
  return hunks
    .replace(/\n$/, '')
    .split('\n')
    .map((line): NumberedLine => {
      const head = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line)
      if (head) {
        before = Number(head[1])
        after = Number(head[2])
        return { kind: 'hunk', number: undefined, text: line }
      }
      const text = line.slice(1)
      if (line.startsWith('+')) return { kind: 'added', number: after++, text }
      if (line.startsWith('-')) return { kind: 'removed', number: before++, text }
      // "\ No newline at end of file" is not a line of the file
      if (line.startsWith('\\')) return { kind: 'hunk', number: undefined, text: line }
      before++
      return { kind: 'same', number: after++, text }
    })
}

export function countChanges(hunks: string): { added: number; removed: number } {
  const lines = numberHunks(hunks)
  const count = (kind: NumberedLine['kind']) => lines.filter((line) => line.kind === kind).length
  return { added: count('added'), removed: count('removed') }
}
