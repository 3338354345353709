// Annotations for GitHub: their kinds, and text that cannot begin another workflow command.
import { expect, it } from 'vitest'
import { comparisonAnnotations } from '../../../../internal/research/report/comparison-annotations.ts'
import { hiddenMetric, metricRow } from '../../../support/comparison.ts'

const failing =
  (...names: string[]) =>
  (verdict: string) =>
    names.includes(verdict)

it.each([
  ['loss', ['loss'], '::error title=loss%3A cpu_ms::48.5 -> 50.9, +4.9 %25 (4.4 to 5.6); 18 rounds'],
  ['loss', [], '::warning title=loss%3A cpu_ms::'],
  ['gain', ['loss'], '::notice title=gain%3A cpu_ms::'],
  ['gain', ['gain'], '::error title=gain%3A cpu_ms::'],
  ['undecided', [], '::notice title=undecided%3A cpu_ms::'],
] as const)('%s with %j failing', (verdict, names, start) => {
  const [line = '', ...more] = comparisonAnnotations({ metrics: [metricRow({ verdict })] }, failing(...names))
  expect(line.slice(0, start.length)).toBe(start)
  expect(more).toEqual([])
})

it('has no line for the same, and none for a metric that is only shown', () => {
  const metrics = [metricRow({ verdict: 'same' }), hiddenMetric()]
  expect(comparisonAnnotations({ metrics }, failing('loss', 'undecided'))).toEqual([])
})

it.each(['a\n::error::forged', 'a\r::set-output', 'a,file=x', 'a%0Ab'])('escapes the name %j', (name) => {
  const metrics = [metricRow({ name }), hiddenMetric({ decides: true })]
  const lines = comparisonAnnotations({ metrics }, failing('loss'))
  expect(lines.join('\n').split('\n')).toHaveLength(2)
  const [, title = ''] = /^::error title=([^:]*)::/.exec(lines[0] as string) ?? []
  expect(title).not.toContain(',')
  expect(decodeURIComponent(title)).toBe(`loss: ${name}`)
  expect(lines[1]).toContain('%0Awall_ms: needs about 700 rounds.')
})

it('stays within the number that GitHub shows', () => {
  const metrics = Array.from({ length: 30 }, (_, i) => metricRow({ name: `m${i}` }))
  expect(comparisonAnnotations({ metrics }, failing())).toHaveLength(10)
})
