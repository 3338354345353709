import { expect, it } from 'vitest'
import { render } from '../../../../internal/render/render.ts'
import type { RunReason } from '../../../../internal/research/ledger/experiment-run.ts'
import { buildDashboard } from '../../../../internal/research/report/dashboard.ts'
import { formatOutcome } from '../../../../internal/research/report/format.ts'
import { final, header, lines, run, viewOf } from './sample.ts'

const look = { color: 0 as const, unicode: true, plain: false, all: true, ambiguous: 1 as const }

it.each([20, 40, 80, 200])('draws at width %i without a problem', (width) => {
  const spec = buildDashboard(viewOf([...lines, final(-50, [-51, -49])]), {
    rows: 10,
    now: ['run 7: pairs 3 of 8'],
  })
  const drawn = render(spec, { ...look, width })
  expect(drawn.errors).toEqual([])
  expect(drawn.warnings).toEqual([])
})

it('shows goal, progress, runs and the current work', () => {
  const spec = buildDashboard(viewOf(), { rows: 3, now: ['run 7: pairs 3 of 8'] })
  const text = render(spec, { ...look, width: 100 }).lines.join('\n')
  for (const part of [
    'gcc-flags: cpu_ms, lower is better',
    'runs 6 of 10',
    'floor 0.7%',
    'run 7: pairs 3 of 8',
    '✖ crash, exit 2',
    'keep, single sample',
  ])
    expect(text).toContain(part)
  expect(text).not.toContain('-O3')
})

const reasons: RunReason[] = [
  'no_metric',
  'ambiguous_metric',
  'interrupted',
  'abandoned',
  'conflict',
  'build',
  'exit 127',
  'timeout',
  'lock_violation',
  'below_min_effect',
  'not_confirmed',
  'implausible',
  'no_change',
]

it.each([36, 40, 44, 47, 48, 63, 64, 80, 120])(
  'shows the whole verdict of every run at width %i',
  (width) => {
    const effect = { pct: -12.5, ci: [-15, -10] as [number, number], p: 0.01, pairs: 32, confirmed: true }
    const rows = reasons.flatMap((reason, i) => [
      run(100 + 2 * i, { status: 'crash', reason, metric: 123.4, effect, description: 'x'.repeat(90) }),
      run(101 + 2 * i, { status: 'discard', reason, metric: 123.4, effect, detail: 'y'.repeat(90) }),
    ])
    const spec = buildDashboard(viewOf([header, ...rows]), { rows: rows.length, width })
    const { lines: drawn } = render(spec, { ...look, width })
    for (const row of rows) {
      const line = drawn.find((text) => new RegExp(`\\b${row.run} `).test(text))
      expect(line).toContain(formatOutcome(row))
    }
  },
)

it('draws a session without runs', () => {
  const drawn = render(buildDashboard(viewOf([header]), { rows: 10 }), { ...look, width: 80 })
  expect(drawn.errors).toEqual([])
})
