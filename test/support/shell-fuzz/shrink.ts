// Makes a line shorter while it still does what it did.

/** Cuts ever smaller pieces out of `line` as long as `still` holds; at most `budget` trials. */
export async function shorten(
  line: string,
  still: (line: string) => Promise<boolean>,
  budget = 120,
): Promise<string> {
  let best = line
  let left = budget
  for (let size = best.length >> 1; size >= 1 && left > 0; size >>= 1) {
    for (let at = 0; at + size <= best.length && left > 0; ) {
      const shorter = best.slice(0, at) + best.slice(at + size)
      left--
      if (await still(shorter)) best = shorter
      else at += size
    }
  }
  return best
}
