// Line output with a limit, for a terminal that may accept no data, as after Ctrl-S or over a bad connection.
import { countNoun } from '../../base/text/count-noun.ts'

type LineOutput = Pick<NodeJS.WriteStream, 'write' | 'writableLength'>

/** Most bytes that wait for the terminal. */
const maxWaiting = 1_000_000

/**
 * Returns a function that prints lines. Skipped lines are counted in a note before the next printed lines.
 */
export function openPlainOutput(output: LineOutput): (lines: readonly string[]) => void {
  let left = 0
  return (lines) => {
    if (output.writableLength > maxWaiting) {
      left += lines.length
      return
    }
    const gap =
      left > 0
        ? [
            `(${countNoun(left, 'line is', 'lines are')} skipped here: the terminal accepted no output; ` +
              'they are in the thread)',
          ]
        : []
    left = 0
    output.write([...gap, ...lines].map((line) => `${line}\n`).join(''))
  }
}
