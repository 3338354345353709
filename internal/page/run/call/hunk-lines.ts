// The lines of a unified diff with the numbers that they have in their file.

export interface NumberedLine {
  kind: 'added' | 'removed' | 'same' | 'hunk'
  /** In the new file; of a removed line in the old one. */
  number: number | undefined
  /** Without its sign. */
  text: string
}

/** Lines before the first head of a hunk are counted from 1. */
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
      // "\ No newline at end of file" is no line of it
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
