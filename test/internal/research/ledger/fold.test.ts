// From lines to state: what counts, what stops, what best is, and what is passed over.
import { expect, it } from 'vitest'
import { foldLedger } from '../../../../internal/research/ledger/fold.ts'

const config = {
  type: 'config',
  segment: 0,
  name: 'n',
  metricName: 'ms',
  bestDirection: 'lower',
  maxRuns: 3,
  gate: { kind: 'paired' },
  tree: 't0',
  head: 'h0',
  lock: 'l0',
  host: {},
}
const run = (n: number, status: string, more: object = {}) => ({
  type: 'run',
  run: n,
  segment: 0,
  status,
  reason: status,
  evidence: 'paired',
  where: 'worktree',
  metrics: {},
  ...more,
})
const of = (...lines: object[]) =>
  foldLedger(lines.map((line, i) => ({ type: '', ...line, seq: i + 1, prev: '' })))

it('is empty without lines', () => {
  expect(of()).toEqual({ segments: [], active: undefined, nextRun: 1 })
})

it('takes the tree of the start as best until something is kept', () => {
  const { active } = of(
    config,
    run(1, 'baseline', { tree: 't0', metric: 5, samples: { base: [4, 5, 6], cand: [] } }),
  )
  expect(active?.best).toMatchObject({ run: 1, tree: 't0', value: 5 })
  expect(active?.baseline).toMatchObject({ value: 5, tree: 't0' })
  expect(active?.baseline?.samples).toHaveLength(3)
  expect(active?.stopped).toBe(false)
})

it('counts, stops and hands out numbers', () => {
  const folded = of(
    config,
    run(1, 'baseline', { metric: 1 }),
    run(2, 'keep', { tree: 't2', metric: 0.5, carry: { kb: 1.1 } }),
    run(7, 'crash'),
  )
  expect(folded.active).toMatchObject({
    stopped: true,
    counts: { baseline: 1, keep: 1, discard: 0, crash: 1, checks_failed: 0, total: 3 },
    best: { run: 2, tree: 't2', value: 0.5, carry: { kb: 1.1 } },
    head: 'h0',
  })
  expect(folded.nextRun).toBe(8)
})

it('follows the branch of the workspace, commits of others included', () => {
  const kept = run(1, 'keep', { where: 'workspace', commit: 'c1', tree: 't1' })
  expect(of(config, kept).active?.head).toBe('c1')
  const adopted = { type: 'adopt', segment: 0, from: 'c1', head: 'c2', tree: 't2', paths: [] }
  expect(of(config, kept, adopted).active).toMatchObject({ head: 'c2', best: { run: 1, tree: 't2' } })
})

it('replaces the samples of the baseline on another host only', () => {
  const base = run(1, 'baseline', { metric: 1, samples: { base: [1, 1], cand: [] } })
  const drift = { type: 'drift', segment: 0, pct: 0, drifted: true, samples: [9, 9, 9] }
  expect(of(config, base, drift).active?.baseline?.value).toBe(1)
  expect(of(config, base, { ...drift, host: {} }).active?.baseline?.value).toBe(9)
})

it('keeps segments apart and passes over what it does not know', () => {
  const folded = of(
    run(1, 'keep'),
    config,
    { type: 'future', anything: 1 },
    { type: 'run', run: 'x' },
    { type: 'command', segment: 0, command: 'new', lock: 'l1' },
    { ...config, segment: 1, command: 'c' },
  )
  expect(folded.segments.map(({ command, lock, counts }) => [command, lock, counts.total])).toEqual([
    ['new', 'l1', 0],
    ['c', 'l0', 0],
  ])
  expect(folded.nextRun).toBe(2)
})

it('never takes a typed value for a sample', () => {
  expect(of(config, run(1, 'baseline', { metric: 1, overridden: true })).active?.baseline).toBe(undefined)
})
