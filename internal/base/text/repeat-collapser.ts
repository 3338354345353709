// Runs of equal lines as one line with a count.

/** Equal lines in a row that are still shown one by one. */
const maxRepeatsShown = 3

/** More than three equal lines in a row become one with a count. */
export function collapseRepeats(text: string): string {
  const lines = createRepeatCollapser()
  return lines.push(text) + lines.finish()
}

/** The same for a text that comes in pieces: each push returns what is certain, the end the rest. */
export function createRepeatCollapser() {
  let rest = ''
  let line: string | undefined
  let count = 0
  const flush = () => {
    if (line === undefined) return ''
    const repeatNote = `… the same line ${count - 1} more times …\n`
    return count > maxRepeatsShown ? `${line}\n${repeatNote}` : `${line}\n`.repeat(count)
  }
  const take = (next: string) => {
    if (next === line) {
      count++
      return ''
    }
    const out = flush()
    line = next
    count = 1
    return out
  }
  return {
    push(part: string): string {
      // a line without an end only grows; taking it apart each time would cost its length squared
      const first = part.indexOf('\n')
      if (first === -1) {
        rest += part
        return ''
      }
      const lines = [rest + part.slice(0, first), ...part.slice(first + 1).split('\n')]
      rest = lines.pop() ?? ''
      return lines.map(take).join('')
    },
    /** The line that no line end followed stays without one. */
    finish(): string {
      return rest === '' ? flush() : (take(rest) + flush()).slice(0, -1)
    },
  }
}
