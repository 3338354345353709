// The value of what was best after each run of a session.
import type { BoardRun } from '../../session/board/research-board.ts'

/** The baseline first, then each kept value; null before there is one. */
export function readBestLine(runs: readonly Pick<BoardRun, 'status' | 'metric'>[]): (number | null)[] {
  let best: number | null = null
  return runs.map(({ status, metric }) => {
    if (metric !== null && (status === 'keep' || (status === 'baseline' && best === null))) best = metric
    return best
  })
}
