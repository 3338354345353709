// The judge's rules and the way of executing, as a segment's header states them.
import type { Gate, Pair, Rules, Sample } from './judge.ts'
import type { ConfigLine, Samples } from './line.ts'
import type { Method } from './measure.ts'

export function rulesOf(config: ConfigLine, seed = config.seed): Rules {
  const { looks, alpha, minEffect, confirm, maxPlausible } = config.gate
  const after: Gate[] = []
  if (config.checks !== undefined) after.push('checks')
  if (config.holdout !== undefined) after.push('holdout')
  return {
    direction: config.bestDirection,
    looks,
    alpha,
    ...(minEffect !== undefined && { minEffect }),
    confirm,
    maxPlausible,
    guards: config.guards,
    after,
    seed,
  }
}

export function methodOf(config: ConfigLine, command: string, timeoutMs = config.timeoutMs): Method {
  return { command, timeoutMs, primary: config.metricName, strict: config.strictMetrics }
}

/** Pairs as a ledger line keeps them. */
export function samplesOf(pairs: readonly Pair[], order: readonly string[]): Samples {
  return {
    base: pairs.map(({ base }) => base.value),
    cand: pairs.map(({ cand }) => cand.value),
    ...(order.length > 0 && { order: order.join(' ') }),
  }
}

/** The median of each metric that every sample has. */
export function medians(samples: readonly Sample[], middle: (values: readonly number[]) => number) {
  const names = Object.keys(samples[0]?.metrics ?? {})
  const all = names.filter((name) => samples.every(({ metrics }) => Object.hasOwn(metrics, name)))
  return Object.fromEntries(
    all.map((name) => [name, middle(samples.map(({ metrics }) => metrics[name] as number))]),
  )
}
