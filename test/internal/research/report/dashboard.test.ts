import { expect, it } from 'vitest'
import { render } from '../../../../internal/render/render.ts'
import { dashboard } from '../../../../internal/research/report/dashboard.ts'
import { final, header, lines, viewOf } from './sample.ts'

const look = { color: 0 as const, unicode: true, plain: false, all: true, ambiguous: 1 as const }

it.each([20, 40, 80, 200])('draws at width %i without a problem', (width) => {
  const spec = dashboard(viewOf([...lines, final(-50, [-51, -49])]), {
    rows: 10,
    now: ['run 7: pairs 3 of 8'],
  })
  const drawn = render(spec, { ...look, width })
  expect(drawn.errors).toEqual([])
  expect(drawn.warnings).toEqual([])
})

it('shows goal, progress, runs and what is going on', () => {
  const spec = dashboard(viewOf(), { rows: 3, now: ['run 7: pairs 3 of 8'] })
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

it('draws a session without runs', () => {
  const drawn = render(dashboard(viewOf([header]), { rows: 10 }), { ...look, width: 80 })
  expect(drawn.errors).toEqual([])
})
