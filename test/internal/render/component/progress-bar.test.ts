// ProgressBar: cells, percent, clamping.
import { expect, test } from 'vitest'
import { codes, draw } from '../draw.ts'

const cases: [object, object, string][] = [
  [{ progress: 0.5, width: 10 }, {}, '█████░░░░░  50%'],
  [{ progress: 0, width: 4 }, {}, '░░░░   0%'],
  [{ progress: 1, width: 4 }, {}, '████ 100%'],
  [{ progress: 0.999, width: 4 }, {}, '███░  99%'],
  [{ progress: 0.001, width: 4 }, {}, '█░░░   0%'],
  [{ progress: 7, width: 4 }, {}, '████ 100%'],
  [{ progress: -1, width: 4 }, {}, '░░░░   0%'],
  [{ progress: 0.5, label: 'total' }, { width: 21 }, 'total █████░░░░░  50%'],
  [{ progress: 0.5, width: 4 }, { unicode: false }, '##..  50%'],
  [{ progress: 0.5, label: 'total' }, { plain: true }, 'total: 50%'],
  [{ progress: 0.66, width: 2 }, { color: 1 }, '\x1b[32m█\x1b[39m\x1b[2m░\x1b[22m  66%'],
]

test.each(cases)('draws a progress bar with %j %j', (props, options, line) => {
  expect(draw('ProgressBar', props, options)).toEqual([line])
})

test('reports clamping', () => {
  expect(codes({ x: { type: 'ProgressBar', props: { progress: 1.01 } } })).toEqual(['clamped'])
  expect(codes({ x: { type: 'ProgressBar', props: { progress: 1 } } })).toEqual([])
})

test('draws no bar without room', () => {
  const spec = {
    b: { type: 'Box', props: { width: 5 }, children: ['p'] },
    p: { type: 'ProgressBar', props: { progress: 0.5, label: 'x' } },
  }
  expect(codes(spec)).toEqual([])
})
