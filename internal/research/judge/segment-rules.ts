// The rules of the judge and the method of sampling, as the header of a segment states them.
import type { SampleValues } from '../ledger/experiment-run.ts'
import type { ExperimentSegment } from '../ledger/fold.ts'
import type { ConfigLine, SegmentSettings } from '../ledger/ledger-entry.ts'
import { isMeasuredMetric } from '../measure/own-measurement.ts'
import type { SamplingMethod } from '../measure/sampling.ts'
import type { AcceptanceGate, JudgeRules, MetricSample, SamplePair } from './evidence.ts'

export function judgeRulesOf(config: ConfigLine, seed = config.seed): JudgeRules {
  const { looks, alpha, minEffect, confirm, maxPlausible } = config.gate
  const after: AcceptanceGate[] = []
  if (config.voice && config.voice.of !== 'benchmark') after.push('voice')
  if (config.checks !== undefined) after.push('checks')
  if (config.holdout !== undefined) after.push('holdout')
  return {
    direction: config.bestDirection,
    looks,
    alpha,
    minEffect,
    confirm,
    maxPlausible,
    guards: config.guards,
    after,
    measured: isMeasuredMetric(config.metricName) ? true : undefined,
    seed,
  }
}

export function samplingMethodOf(
  config: SegmentSettings,
  command: string,
  timeoutMs = config.timeoutMs,
  expected?: readonly string[],
): SamplingMethod {
  const { metricName: primary, strictMetrics: strict, format, files } = config
  return { command, timeoutMs, primary, strict, format, expected, files }
}

/**
 * Returns the secondary metrics that every run of the configured command has to print; undefined before the
 * baseline has been measured.
 */
export const expectedMetrics = ({ baseline }: Pick<ExperimentSegment, 'baseline'>): string[] | undefined =>
  baseline && Object.keys(baseline.samples[0]?.metrics ?? {})

/**
 * Returns pairs in the form of a ledger line: the values of each side, and which side was measured first
 * in each pair.
 */
export function sampleValuesOf(pairs: readonly SamplePair[], order: readonly string[]): SampleValues {
  return {
    base: pairs.map(({ base }) => base.value),
    cand: pairs.map(({ cand }) => cand.value),
    order: order.length > 0 ? order.join(' ') : undefined,
  }
}

/** Returns the median of each metric that all samples have, by name. `middle` computes the median. */
export function metricMedians(
  samples: readonly MetricSample[],
  middle: (values: readonly number[]) => number,
) {
  const names = Object.keys(samples[0]?.metrics ?? {})
  const all = names.filter((name) => samples.every(({ metrics }) => Object.hasOwn(metrics, name)))
  return Object.fromEntries(
    all.map((name) => [name, middle(samples.map(({ metrics }) => metrics[name] as number))]),
  )
}
