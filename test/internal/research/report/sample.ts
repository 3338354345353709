// A session with one run of every kind, its texts as hostile as a repository's can be.
import type { RunLine } from '../../../../internal/research/ledger/experiment-run.ts'
import { foldLedger } from '../../../../internal/research/ledger/fold.ts'
import type { ConfigLine, LedgerEntry } from '../../../../internal/research/ledger/ledger-entry.ts'
import { buildOverview, type SessionOverview } from '../../../../internal/research/report/overview.ts'
import type { ResearchState } from '../../../../internal/research/session.ts'

export const hostile = '</script><img src=x onerror="alert(1)">\u001b[31m\u202e \' & <b>'

const timestamp = '2026-01-01T00:00:00.000Z'

export const header: ConfigLine = {
  type: 'config',
  v: 1,
  segment: 0,
  name: 'gcc-flags',
  objective: 'least time',
  metricName: 'cpu_ms',
  metricUnit: 'ms',
  bestDirection: 'lower',
  command: './.auto/measure.sh',
  scope: ['flags.txt'],
  locked: [],
  maxRuns: 10,
  gate: { kind: 'paired', looks: [8, 16, 32], alpha: 0.05, confirm: 10, maxPlausible: 10 },
  guards: [],
  timeoutMs: 600_000,
  checksTimeoutMs: 300_000,
  strictMetrics: false,
  carry: [],
  env: [],
  seed: 1,
  lock: 'sha256:9f2c',
  host: { cpus: 2, model: 'cpu', node: '20.20.2' },
  timestamp,
}

export function run(number: number, more: Partial<RunLine>): RunLine {
  return {
    type: 'run',
    run: number,
    segment: 0,
    where: 'worktree',
    status: 'discard',
    reason: 'noise',
    evidence: 'paired',
    metrics: {},
    lock: 'ok',
    timestamp,
    ...more,
  }
}

const effect = {
  pct: -50,
  ci: [-52, -48] as [number, number],
  p: 0.004,
  pairs: 8,
  confirmed: true,
  confirm_p: 0.02,
}

export const lines: LedgerEntry[] = [
  header,
  run(1, {
    status: 'baseline',
    reason: 'baseline',
    metric: 100,
    samples: { base: [98, 100, 102, 100, 99, 101, 100, 100], cand: [] },
  }),
  run(2, {
    status: 'keep',
    reason: 'gain',
    metric: 50,
    effect,
    commit: 'd4e5f60aaaabbbb',
    description: '-O3',
  }),
  run(3, {
    metric: 51,
    effect: { ...effect, pct: 2, ci: [-1, 4], p: 0.7, confirmed: false },
    description: '-Os',
  }),
  run(4, {
    status: 'checks_failed',
    reason: 'checks',
    metric: 20,
    effect: { ...effect, pct: -60, ci: [-61, -59] },
    description: '-ffast-math',
  }),
  run(5, { status: 'crash', reason: 'exit 2', evidence: 'none', description: hostile }),
  run(6, {
    status: 'keep',
    reason: 'single_sample',
    evidence: 'single_sample',
    metric: 48,
    description: 'typed by hand',
  }),
]

export function stateOf(all: readonly LedgerEntry[]): ResearchState {
  const entries = all.map((line, i) => ({ ...line, seq: i + 1, prev: '' }))
  return { ...foldLedger(entries), session: 'gcc-flags', pending: [], lines: all.length, legacy: [] }
}

export function viewOf(all: readonly LedgerEntry[] = lines): SessionOverview {
  const view = buildOverview(stateOf(all))
  if (!view) throw new Error('no session')
  return view
}

export const final = (pct: number, ci: [number, number], run = 6, p = 0.001): LedgerEntry => ({
  type: 'final',
  segment: 0,
  run,
  effect: { ...effect, pct, ci, p, pairs: 20 },
  samples: { base: [100], cand: [50] },
  timestamp,
})
