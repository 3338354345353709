import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../../../internal/research/ledger/experiment-run.ts'
import { resultLines } from '../../../../internal/research/report/result-lines.ts'

const ran: RunResult = {
  run: 4,
  segment: 0,
  gate: 'paired',
  status: 'keep',
  reason: 'gain',
  metricName: 'cpu_ms',
  direction: 'lower',
  metric: 84.9,
  metrics: {},
  effect: { pct: -13.7, ci: [-24.6, -5.7], p: 0.004, pairs: 8, confirmed: true, confirm_p: 0.02 },
  guards: [{ metric: 'binary_kb', ok: true, ratio: 1 }],
  lock: 'ok',
  checks: 'ok',
  changed: ['flags.txt'],
  produced: [],
  outside: [],
  leaked: 0,
  output: 'last words\n',
  override: false,
  ms: 100,
  notes: [],
}

describe('ranLines', () => {
  it('tells a keep with all that was asked of it', () => {
    const known = { baseline: { value: 99, floorPct: 9.3 }, description: "don't wait" }
    expect(resultLines(ran, known)).toEqual([
      'baseline  cpu_ms 99  floor 9.3%',
      'cpu_ms 84.9',
      'pairs 8  -13.7%  95% [-24.6, -5.7]  p 0.004   confirmed in fresh pairs p 0.02',
      'guards ok  binary_kb 1.00x   checks ok   lock ok',
      `-> run 4 keep (improved)   anode research log --status keep --description 'don'\\''t wait'`,
    ])
  })

  it('shows what a crash or failed checks have printed', () => {
    const { metric: _, effect: __, ...bare } = ran
    const crash = resultLines({
      ...bare,
      status: 'crash',
      reason: 'exit 2',
      detail: 'exit 2',
      guards: [],
      leaked: 2,
    })
    expect(crash).toContain('  last words')
    expect(crash).toContain('ended 2 processes that outlived the command')
    const failed = resultLines({
      ...ran,
      status: 'checks_failed',
      reason: 'checks',
      checks: 'failed',
      checksOutput: 'off by one',
    })
    expect(failed).toContain('  off by one')
  })

  it('names guards that failed and paths outside of the scope', () => {
    const guards = [
      { metric: 'kb', ok: false, ratio: 1.3, why: 'factor' as const },
      { metric: 'mb', ok: false, ratio: Number.NaN, why: 'missing' as const },
    ]
    const text = resultLines({
      ...ran,
      status: 'discard',
      reason: 'guard:kb',
      guards,
      outside: ['x/y'],
    }).join('\n')
    expect(text).toContain('guards failed  kb 1.30x (factor)  mb not printed (missing)')
    expect(text).toContain('outside of the scope: x/y')
    // what to do with a file of the user, and with one of the experiment
    expect(text).toMatch(/log this run, and later runs leave it out; or add it to \.gitignore/)
    expect(text).toContain('anode research init --reset --scope PATH')
  })

  it('leaves the verdict under plain to the caller', () => {
    const { effect: _, ...plain } = {
      ...ran,
      gate: 'plain' as const,
      status: 'discard' as const,
      reason: 'caller' as const,
    }
    expect(resultLines({ ...plain, advice: 'better' }).at(-1)).toBe(
      '-> run 4 measured   anode research log --status keep',
    )
    expect(resultLines({ ...plain, advice: 'within_noise' }).at(-1)).toContain('--status discard')
  })

  it('says nothing of an interval where one value decides', () => {
    const effect = { pct: -20, ci: [-20, -20] as [number, number], p: 0, pairs: 1, confirmed: true }
    expect(resultLines({ ...ran, effect, reason: 'deterministic' })[0]).toBe(
      'cpu_ms 84.9  -20.0%  the same in every execution',
    )
  })
})
