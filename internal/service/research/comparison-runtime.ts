// Opener of the comparisons of a workspace for one command. When it closes, all started processes end.
import {
  type ComparisonService,
  findComparison,
  openComparisons,
} from '../../research/compare/comparisons.ts'
import { type ExperimentOptions, withResearchPlace } from './experiment-runtime.ts'

/** Runs `use` with the comparisons of the workspace `options.cwd`. */
export function withComparisons<T>(
  options: ExperimentOptions,
  use: (comparisons: ComparisonService) => Promise<T>,
): Promise<T> {
  return withResearchPlace(options, async (place) => use(await openComparisons(place)))
}

export { findComparison }
