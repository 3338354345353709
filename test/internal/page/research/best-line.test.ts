// The line of best values through the runs of a session.
import { expect, it } from 'vitest'
import { readBestLine } from '../../../../internal/page/research/best-line.ts'

it('begins with the baseline and continues with the kept runs', () => {
  const runs = [
    ...[
      { status: 'crash', metric: null },
      { status: 'baseline', metric: 100 },
    ],
    ...[
      { status: 'discard', metric: 50 },
      { status: 'keep', metric: 90 },
      { status: 'keep', metric: null },
    ],
    ...[{ status: 'baseline', metric: 101 }],
  ]
  expect(readBestLine(runs)).toEqual([null, 100, 100, 90, 90, 90])
})
