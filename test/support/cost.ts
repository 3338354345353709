// Costs under load: a machine that is busy makes a measured time longer, and never shorter. So the least of several counts.

const tries = 15

function cpuOf(work: () => unknown): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}

/**
 * Returns the least processor time of `work` in milliseconds. It is repeated until it costs less than `enough`
 * milliseconds, 15 times at most.
 */
export function leastCost(enough: number, work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < tries && least >= enough; i++) least = Math.min(least, cpuOf(work))
  return least
}

/**
 * Returns how many times as much `large` costs as `small`: the least processor time of each counts. Both run in turn
 * at least three times, and until the ratio is below `enough`, 15 times at most. `small` must cost some milliseconds.
 */
export function costRatio(enough: number, small: () => unknown, large: () => unknown): number {
  let least = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY }
  const ratio = () => least.large / least.small
  for (let i = 0; i < tries && (i < 3 || ratio() >= enough); i++)
    least = { small: Math.min(least.small, cpuOf(small)), large: Math.min(least.large, cpuOf(large)) }
  return ratio()
}

/**
 * Returns the least time of `attempt` in milliseconds, which it tells itself. It is repeated until it takes less than
 * `enough` milliseconds, three times at most: for what waits, so that its processor time says nothing.
 */
export async function leastWait(enough: number, attempt: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3 && least >= enough; i++) least = Math.min(least, await attempt())
  return least
}
