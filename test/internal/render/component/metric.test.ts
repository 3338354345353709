// Metric: value, trend with words, coerced values.
import { expect, test } from 'vitest'
import { codes, draw } from '../draw.ts'

const cases: [object, object, string[]][] = [
  [{ label: 'Latency', value: '12 ms' }, {}, ['Latency', '12 ms']],
  [{ label: 'L', value: '1', trend: 'up', detail: '3%' }, {}, ['L', '1 ▲ 3%']],
  [{ label: 'L', value: '1', trend: 'down' }, {}, ['L', '1 ▼ down']],
  [{ label: 'L', value: '1', trend: 'neutral' }, {}, ['L', '1 ~ neutral']],
  [{ label: 'L', value: '1', detail: 'of 3' }, {}, ['L', '1 of 3']],
  [{ label: 'L', value: 7 }, {}, ['L', '7']],
  [{ label: 'L', value: '' }, {}, ['L', '—']],
  [
    { label: 'L', value: 'a value', detail: 'and a long detail' },
    { width: 20 },
    ['L', 'a value', 'and a long detail'],
  ],
  [{ label: 'L', value: '1', trend: 'up' }, { unicode: false }, ['L', '1 ^ up']],
  [{ label: 'L', value: '1', trend: 'up', detail: '3%' }, { plain: true }, ['L: 1 (up 3%)']],
  [{ label: 'L', value: '1' }, { plain: true }, ['L: 1']],
]

test.each(cases)('draws a metric with %j %j', (props, options, lines) => {
  expect(draw('Metric', props, options)).toEqual(lines)
})

const metric = (props: object) => codes({ x: { type: 'Metric', props } })

test('accepts texts and numbers as a value', () => {
  expect(metric({ label: 'L', value: 7 })).toEqual(['coerced'])
  expect(metric({ label: 'L', value: true })).toEqual(['coerced'])
  expect(metric({ label: 'L' })).toEqual(['missing_prop'])
  expect(metric({ label: 'L', value: null })).toEqual(['bad_prop'])
  expect(metric({ label: 'L', value: [] })).toEqual(['bad_prop'])
  expect(metric({ label: 'L', value: { $state: '/x' } })).toEqual(['unsupported_dynamic'])
})

test.each([
  ['up', undefined, 'green'],
  ['down', undefined, 'red'],
  ['up', 'up', 'green'],
  ['down', 'up', 'red'],
  ['up', 'down', 'red'],
  ['down', 'down', 'green'],
  ['neutral', 'down', undefined],
  [undefined, 'down', undefined],
])('trend %s where %s is good is %s', (trend, good, color) => {
  const [, line = ''] = draw('Metric', { label: 'L', value: '1', trend, good }, { color: 1 })
  expect([line.includes('\u001b[32m'), line.includes('\u001b[31m')]).toEqual([
    color === 'green',
    color === 'red',
  ])
})

test('rejects an unknown good direction', () => {
  expect(metric({ label: 'L', value: '1', trend: 'up', good: 'left' })).toEqual(['bad_prop'])
})
