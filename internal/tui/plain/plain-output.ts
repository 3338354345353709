// Line output with a limit. A terminal may accept no data for a time, as after Ctrl-S or over
// a bad connection.
import { countNoun } from '../../base/text/count-noun.ts'

type LineOutput = Pick<NodeJS.WriteStream, 'write' | 'writableLength'>

/** Number of bytes waiting for the terminal above which further lines are skipped. */
const maxWaiting = 1_000_000

/**
 * Returns a function that prints lines. It skips lines while too much output waits, and prints
 * their number before the next lines.
 */
export function openPlainOutput(output: LineOutput): (lines: readonly string[]) => void {
  let gapSize = 0
  return (lines) => {
    if (output.writableLength > maxWaiting) {
      gapSize += lines.length
      return
    }
    const gap =
      gapSize > 0
        ? [
            `(${countNoun(gapSize, 'line is', 'lines are')} skipped here: the terminal accepted no output; ` +
              'they are in the thread)',
          ]
        : []
    gapSize = 0
    output.write([...gap, ...lines].map((line) => `${line}\n`).join(''))
  }
}
