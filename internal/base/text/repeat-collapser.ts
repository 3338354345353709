// Runs of equal lines as one line with a count.

/** Number of equal lines in a row that are shown separately; more become one line with a count. */
const maxRepeatsShown = 3

/** Returns the text with more than three equal lines in a row replaced by one line and a count. */
export function collapseRepeats(text: string): string {
  const lines = createRepeatCollapser()
  return lines.push(text) + lines.finish()
}

/**
 * Creates a collapser for a text in pieces. `push` returns the lines that can no longer change, and
 * `finish` the rest.
 */
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
      // an incomplete line is only stored: it can still grow, and splitting it each time would
      // take quadratic time
      const first = part.indexOf('\n')
      if (first === -1) {
        rest += part
        return ''
      }
      const lines = [rest + part.slice(0, first), ...part.slice(first + 1).split('\n')]
      rest = lines.pop() ?? ''
      return lines.map(take).join('')
    },
    /** Returns the lines that `push` has not returned. A last line without a line end stays without one. */
    finish(): string {
      return rest === '' ? flush() : (take(rest) + flush()).slice(0, -1)
    },
  }
}
