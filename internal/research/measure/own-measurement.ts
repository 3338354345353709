// Measurement by Anode itself of an execution, and how it limits the values that a benchmark prints.
import type { OwnMeasurement, SamplePair } from '../judge/evidence.ts'
import { seededRandom } from '../stats/seeded-random.ts'
import { medianOf, signFlipTest } from '../stats/statistics.ts'

/** The report that the script of an isolated execution writes. */
export interface ExecutionReport {
  leaked: number
  own?: OwnMeasurement
}

/**
 * Parses a report: one line with counts and clock times, two lines of the shell builtin `times`, and if the
 * machine can read them, the processor time in microseconds and the largest memory of a process in KiB.
 * Returns undefined if the first line is missing or has another form.
 */
export function parseReport(text: string): ExecutionReport | undefined {
  const [first = '', , children = '', usage = ''] = text.split('\n')
  const [, processCount, startTime, endTime] = /^(\d+) (\d+[.,]\d+) (\d+[.,]\d+)$/.exec(first) ?? []
  if (processCount === undefined) return undefined
  const elapsedMs = 1000 * (secondsOf(endTime) - secondsOf(startTime))
  const times = [...children.matchAll(/(\d+)m(\d+[.,]\d+)s/g)]
  const cpu = times.map(([, minutes, rest]) => 1000 * (60 * Number(minutes) + secondsOf(rest)))
  const [user, system] = cpu
  const [, microseconds, memory] = /^(\d+) (\d+)$/.exec(usage) ?? []
  const coarse = user !== undefined && system !== undefined ? user + system : undefined
  return {
    leaked: Number(processCount),
    own: {
      wall_ms: elapsedMs,
      cpu_ms: microseconds === undefined ? coarse : Number(microseconds) / 1000,
      max_rss_kb: memory === undefined ? undefined : Number(memory),
    },
  }
}

const secondsOf = (text = '') => Number(text.replace(',', '.'))

/**
 * Returns whether Anode measures the metric itself and uses that to limit the values that a benchmark prints.
 */
export const isMeasuredMetric = (name: string): name is 'cpu_ms' | 'wall_ms' =>
  name === 'cpu_ms' || name === 'wall_ms'

/** Metrics that Anode measures without any output of the benchmark, in the order of reports. */
export const ownMetrics = ['cpu_ms', 'wall_ms', 'max_rss_kb'] as const

/**
 * Returns true if the benchmark of a comparison does not have to print the metric, because Anode measures it.
 */
export const isOwnMetric = (name: string): name is (typeof ownMetrics)[number] =>
  ownMetrics.some((metric) => metric === name)

/** Significance level at which printed values count as contradicting Anode's own measurement. */
const level = 0.05
const fewPairs = 5

/**
 * Returns the pairs with limited values of `cpu_ms` or `wall_ms`. If the candidates print
 * significantly more saving than Anode measured, each candidate's value becomes at least the other
 * side's value minus the measured saving. Otherwise, for other metrics, and if a pair lacks Anode's
 * measurement, the pairs stay unchanged.
 */
export function boundPairs(metric: string, pairs: readonly SamplePair[]): SamplePair[] {
  if (!isMeasuredMetric(metric)) return [...pairs]
  const saved = pairs.map(({ base, cand }) => {
    const before = base.own?.[metric]
    const after = cand.own?.[metric]
    return before === undefined || after === undefined ? undefined : before - after
  })
  if (saved.some((one) => one === undefined)) return [...pairs]
  const measured = saved as number[]
  const excess = pairs.map(({ base, cand }, i) => base.value - cand.value - (measured[i] as number))
  if (!exceedsZero(excess)) return [...pairs]
  return pairs.map(({ base, cand }, i) => ({
    base,
    cand: { ...cand, value: Math.max(cand.value, base.value - (measured[i] as number)) },
  }))
}

/**
 * Returns true if the differences are above zero. Fewer than 5 differences must all be above zero; 5 or more
 * are tested for significance. Without differences, returns false.
 */
function exceedsZero(differences: readonly number[]): boolean {
  if (differences.length === 0) return false
  if (differences.length < fewPairs) return differences.every((one) => one > 0)
  const p = signFlipTest(
    differences.map((one) => -one),
    seededRandom(1, 'own measurement'),
  )
  return p < level && medianOf(differences) > 0
}
