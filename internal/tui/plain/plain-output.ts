// Lines for a terminal that may take nothing, at Ctrl-S or over a bad line: what it takes later is bounded.
import { countNoun } from '../../base/text/count-noun.ts'

type LineOutput = Pick<NodeJS.WriteStream, 'write' | 'writableLength'>

/** Bytes that wait for the terminal at most. */
const maxWaiting = 1_000_000

/** Prints lines; how many were left out meanwhile stands before the next ones that are taken. */
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
            `(${countNoun(left, 'line is', 'lines are')} left out here: the terminal took nothing; ` +
              'they are in the thread)',
          ]
        : []
    left = 0
    output.write([...gap, ...lines].map((line) => `${line}\n`).join(''))
  }
}
