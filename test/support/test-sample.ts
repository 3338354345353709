// Which tests of a long file run in `npm test`: some of them, spread evenly. The others run in `npm run test:all`.

/** The seconds that the sample of one test file may take. Shorter files run whole. */
export const secondsOfFile = 1.8

/**
 * Returns the tests of a file that run in `npm test`: at least one, and as many as fit in the time of a file
 * if each takes equally long. Another `seed` selects other tests, and a few seeds together select all.
 */
export function sampleTests<T>(tests: readonly T[], seconds: number, seed: number): T[] {
  const step = Math.max(1, Math.min(tests.length, seconds / secondsOfFile))
  const first = seed % Math.ceil(step)
  return tests.filter((_, i) => Math.floor((i - first) / step) !== Math.floor((i - first - 1) / step))
}
