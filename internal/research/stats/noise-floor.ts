// The noise floor: how far repeated samples of one tree spread.
import { medianOf } from './statistics.ts'

/**
 * Returns the spread of repeated samples of one tree as a share of their size: `1.4826 MAD(ln A)`, the median
 * absolute deviation scaled to the standard deviation of a normal distribution (Rousseeuw and Croux, JASA 88,
 * 1993). With samples of 0 or below: `1.4826 MAD(A) / median |A|`, undivided when that median is 0.
 */
export function noiseFloor(samples: readonly number[]): number {
  if (samples.every((a) => a > 0)) return 1.4826 * deviationOf(samples.map(Math.log))
  return (1.4826 * deviationOf(samples)) / (medianOf(samples.map(Math.abs)) || 1)
}

/** Returns the warning about a large noise floor, with advice. `floorPct` is in percent. */
export const noiseWarning = (floorPct: number): string =>
  `very noisy: measurements of the same files differ by ${floorPct.toFixed(0)} %, which hides ` +
  'smaller gains; measure CPU time, or make the benchmark longer'

/** Returns the median absolute deviation of the values from their median. */
function deviationOf(values: readonly number[]): number {
  const centre = medianOf(values)
  return medianOf(values.map((value) => Math.abs(value - centre)))
}
