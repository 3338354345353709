// The ledger line of a run: measured runs have their results, interrupted runs have none, and guards
// continue from best.
import { expect, it } from 'vitest'
import type { ExperimentRun, MeasuredRun } from '../../../../internal/research/ledger/experiment-run.ts'
import { draftRunLine, ranOtherCommand } from '../../../../internal/research/ledger/run-line.ts'

const timestamp = '2026-01-01T00:00:00.000Z'

const started = {
  run: 3,
  segment: 1,
  pid: 1,
  mark: 'm',
  started: timestamp,
  gate: 'paired',
  where: 'worktree',
  command: './bench.sh',
  override: false,
  lock: 'sha256:1',
  parent: 'p',
  tree: 't',
  after: 'a',
  seed: 7,
} as const

const measured: MeasuredRun = {
  ...started,
  state: 'measured',
  ran: {
    run: 3,
    segment: 1,
    gate: 'paired',
    status: 'keep',
    reason: 'gain',
    metricName: 'ms',
    direction: 'lower',
    metric: 5,
    metrics: { kb: 2 },
    guards: [
      { metric: 'kb', ok: true, ratio: 1.5 },
      { metric: 'unknown', ok: true, ratio: Number.NaN },
    ],
    lock: 'ok',
    changed: ['f'],
    produced: [],
    outside: [],
    leaked: 0,
    output: 'printed',
    override: false,
    ms: 12,
    notes: ['said once'],
  },
}

it('records of an interrupted run only the fields known at its start', () => {
  const running: ExperimentRun = { ...started, state: 'running' }
  expect(draftRunLine(running, {}, timestamp)).toEqual({
    type: 'run',
    run: 3,
    segment: 1,
    parent: 'p',
    tree: 't',
    where: 'worktree',
    status: 'crash',
    reason: 'interrupted',
    evidence: 'none',
    metrics: {},
    lock: 'ok',
    seed: 7,
    timestamp,
  })
})

it('contains the verdict with its evidence, and ratios of guards combined with those of best', () => {
  const line = draftRunLine(measured, { kb: 1.1, rss: 0.9 }, timestamp)
  expect(line).toMatchObject({ status: 'keep', reason: 'gain', evidence: 'paired', metric: 5, ms: 12 })
  expect(line.carry).toEqual({ kb: 1.5, rss: 0.9 })
  expect(line).not.toHaveProperty('output')
  expect(line).not.toHaveProperty('produced')
  expect(ranOtherCommand(line)).toBe(false)
})

it('records a command that differs from the configured one, and the output files of a run with its tree', () => {
  const { ran } = measured
  const other: ExperimentRun = { ...measured, override: true, ran: { ...ran, produced: ['out'] } }
  const line = draftRunLine(other, {}, timestamp)
  expect(line).toMatchObject({ command_override: './bench.sh', produced: ['out'], after: 'a' })
  expect(ranOtherCommand(line)).toBe(true)
})

it('marks a single sample as such, and a run without a value as no evidence', () => {
  const plain: ExperimentRun = { ...measured, gate: 'plain' }
  expect(draftRunLine(plain, {}, timestamp).evidence).toBe('single_sample')
  const { metric: _, ...ran } = measured.ran
  expect(draftRunLine({ ...measured, ran }, {}, timestamp).evidence).toBe('none')
})
