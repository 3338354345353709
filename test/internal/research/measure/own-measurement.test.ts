// Printed values count no more than Anode's own measurement.
import { describe, expect, it } from 'vitest'
import type { SamplePair } from '../../../../internal/research/judge/evidence.ts'
import { boundPairs, parseReport } from '../../../../internal/research/measure/own-measurement.ts'

/** Pairs whose printed and measured values save what is said, with a little noise. */
function pairsOf(
  count: number,
  printed: number,
  measured: number | undefined,
  metric = 'cpu_ms',
): SamplePair[] {
  return Array.from({ length: count }, (_, i) => {
    const noise = ((i * 7) % 5) - 2
    const own = (value: number) => (measured === undefined ? {} : { own: { [metric]: value } })
    return {
      base: { value: 100 + noise, metrics: {}, ...own(150 + noise) },
      cand: { value: 100 - printed, metrics: {}, ...own(150 - (measured ?? 0)) },
    }
  })
}

describe.each(['cpu_ms', 'wall_ms'])('%s', (metric) => {
  it.each([1, 2, 3, 8, 10, 24])('counts the measured saving where more is printed, in %i pairs', (count) => {
    const bound = boundPairs(metric, pairsOf(count, 50, 10, metric))
    for (const { base, cand } of bound) expect(base.value - cand.value).toBeLessThanOrEqual(12)
    // the measured saving still counts
    expect(bound.every(({ base, cand }) => cand.value < base.value + 3)).toBe(true)
  })
  it.each([0, 10, 50])('keeps a printed saving of %i that was measured', (saved) => {
    const pairs = pairsOf(8, saved, saved + 5, metric)
    expect(boundPairs(metric, pairs)).toEqual(pairs)
  })
})

it.each(['ms', 'bytes', 'cpu_seconds', 'wall'])('leaves %s as it is printed', (metric) => {
  const pairs = pairsOf(8, 50, 0)
  expect(boundPairs(metric, pairs)).toEqual(pairs)
})

it('leaves values alone that were not measured', () => {
  const pairs = pairsOf(8, 50, undefined)
  expect(boundPairs('cpu_ms', pairs)).toEqual(pairs)
})

it('reads the report of an execution', () => {
  const text = '2 1700000000.100000 1700000001.350000\n0m0.001s 0m0.002s\n1m2.500s 0m0.250s\n'
  expect(parseReport(text)).toEqual({ leaked: 2, own: { wall_ms: expect.closeTo(1250, 1), cpu_ms: 62_750 } })
  expect(parseReport(text.replaceAll('.', ','))).toEqual(parseReport(text))
  const fine = parseReport(`${text}62751234 138260\n`)
  expect(fine?.own).toEqual({ ...parseReport(text)?.own, cpu_ms: 62_751.234, max_rss_kb: 138_260 })
  expect(parseReport(`${text}no number\n`)).toEqual(parseReport(text))
  for (const broken of ['', '3', 'METRIC a=1', '1 2']) expect(parseReport(broken)).toBeUndefined()
})
