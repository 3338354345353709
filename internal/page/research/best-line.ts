// Computation of the best value of an experiment session after each of its runs.
import type { BoardRun } from '../../session/board/research-board.ts'

/**
 * Returns for each run the best value so far: that of the first baseline, later that of the latest kept run.
 * Runs without a value do not change it; it is null before the first baseline or kept run with a value.
 */
export function readBestLine(runs: readonly Pick<BoardRun, 'status' | 'metric'>[]): (number | null)[] {
  let best: number | null = null
  return runs.map(({ status, metric }) => {
    if (metric !== null && (status === 'keep' || (status === 'baseline' && best === null))) best = metric
    return best
  })
}
