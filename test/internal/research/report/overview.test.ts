import { describe, expect, it } from 'vitest'
import { buildOverview } from '../../../../internal/research/report/overview.ts'
import { final, header, lines, run, stateOf, viewOf } from './sample.ts'

describe('overview', () => {
  it('is nothing without a session', () => expect(buildOverview(stateOf([]))).toBeUndefined())

  it('knows baseline, best and counts', () => {
    const view = viewOf()
    expect(view.baseline?.value).toBe(100)
    expect(view.best?.run).toBe(6)
    expect(view.counts).toMatchObject({ total: 6, keep: 2, discard: 1, crash: 1, checks_failed: 1 })
  })

  it('gives intervals in the unit of the metric', () => {
    const { rows } = viewOf()
    expect(rows[1]?.range).toEqual([48, 52])
    expect(rows[2]?.range?.map(Math.round)).toEqual([50, 52])
    expect(rows[4]?.range).toBeUndefined()
  })

  it('adds an absolute effect instead of multiplying', () => {
    const effect = {
      pct: -2,
      ci: [-3, -1] as [number, number],
      p: 0,
      pairs: 8,
      confirmed: true,
      unit: 'absolute' as const,
    }
    expect(viewOf([header, run(1, { metric: -2, effect })]).rows[0]?.range).toEqual([-3, -1])
  })

  it('warns of runs that a line of an earlier version marks as suspect', () => {
    const view = viewOf([header, run(1, { status: 'keep', suspect: true }), run(2, { status: 'keep' })])
    expect(view.rows.map(({ suspect }) => suspect === true)).toEqual([true, false])
    expect(view.warnings.filter((text) => /^run 1: looks too good/.test(text))).toHaveLength(1)
  })

  it('says when a final is older than best', () => {
    expect(viewOf([...lines, final(-50, [-51, -49])]).finalIsOld).toBe(false)
    expect(viewOf([...lines, final(-50, [-51, -49], 2)]).finalIsOld).toBe(true)
  })

  it('warns of single samples, a skipped null test and a noisy baseline', () => {
    const noisy = run(1, {
      status: 'baseline',
      reason: 'baseline',
      samples: { base: [10, 90, 40, 200, 5], cand: [] },
    })
    const kept = run(2, { status: 'keep', evidence: 'single_sample', metric: 1 })
    const { warnings } = viewOf([{ ...header, nullTest: 'skipped' }, noisy, kept])
    expect(warnings.join('\n')).toMatch(
      /very noisy[\s\S]*null test was skipped[\s\S]*1 kept on a single sample/,
    )
  })
})
