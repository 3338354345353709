// The best value after each run of a session.
import type { BoardRun } from '../../session/board/research-board.ts'

/**
 * Returns for each run the best value up to it: the baseline, then each kept value; null before the baseline.
 */
export function readBestLine(runs: readonly Pick<BoardRun, 'status' | 'metric'>[]): (number | null)[] {
  let best: number | null = null
  return runs.map(({ status, metric }) => {
    if (metric !== null && (status === 'keep' || (status === 'baseline' && best === null))) best = metric
    return best
  })
}
