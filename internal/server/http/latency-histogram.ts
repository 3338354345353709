// Histogram of durations, in the text format of Prometheus.

const bounds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800]

interface LatencyHistogram {
  observe(seconds: number): void
  /** Returns the lines with the histogram of the metric `name`. */
  format(name: string): string[]
}

export function createLatencyHistogram(): LatencyHistogram {
  const counts = bounds.map(() => 0)
  let count = 0
  let sum = 0
  return {
    observe(seconds) {
      count++
      sum += seconds
      const at = bounds.findIndex((bound) => seconds <= bound)
      if (at >= 0) counts[at] = (counts[at] ?? 0) + 1
    },
    format(name) {
      let below = 0
      const buckets = bounds.map((bound, i) => {
        below += counts[i] ?? 0
        return `${name}_bucket{le="${bound}"} ${below}`
      })
      const rest = [`${name}_bucket{le="+Inf"} ${count}`, `${name}_sum ${sum}`, `${name}_count ${count}`]
      return [`# TYPE ${name} histogram`, ...buckets, ...rest]
    },
  }
}
