// Sparkline: marks, label, numbers, narrow lines.
import { expect, test } from 'vitest'
import { draw } from '../draw.ts'

const data = [1, 5, 9, 4]

const cases: [object, number, string[]][] = [
  [{ data }, 40, ['▁▅█▄ min 1  max 9  last 4']],
  [{ data, label: 'load' }, 40, ['load ▁▅█▄ min 1  max 9  last 4']],
  [{ data, width: 2 }, 40, ['▁█ min 1  max 9  last 4']],
  [{ data, label: 'load' }, 20, ['load ▁▅█▄', 'min 1  max 9  last 4']],
  [{ data, min: 0, max: 100 }, 40, ['▁▁▁▁ min 1  max 9  last 4']],
  [{ data: [] }, 40, ['(no data)']],
  [{ data: [], label: 'load' }, 40, ['load (no data)']],
  [{ data: Array.from({ length: 100 }, (_, i) => i) }, 40, ['▁▁▂▂▃▃▄▄▄▅▅▆▆▇▇██ min 0  max 99  last 99']],
]

test.each(cases)('draws a sparkline with %j at width %i', (props, width, lines) => {
  expect(draw('Sparkline', props, { width })).toEqual(lines)
})

test('is green by default', () => {
  expect(draw('Sparkline', { data: [1] }, { color: 1 })[0]).toContain('\x1b[32m▄\x1b[39m')
  expect(draw('Sparkline', { data: [1], color: 'red' }, { color: 1 })[0]).toContain('\x1b[31m▄')
})

test('plain output has no marks', () => {
  expect(draw('Sparkline', { data, label: 'load' }, { plain: true })).toEqual(['load: min 1, max 9, last 4'])
  expect(draw('Sparkline', { data: [], label: 'load' }, { plain: true })).toEqual(['load: (no data)'])
})
