// The status of an experiment session for the web page, computed from the lines of its ledger (the log
// of all runs).
import type { BoardRun, ResearchBoard } from '../../session/board/research-board.ts'
import type { LedgerState } from '../ledger/fold.ts'
import { buildOverview, type OverviewRow, type SessionOverview } from '../report/overview.ts'

/** Data that is not in the ledger: runs that are not logged yet, the loop, and the ideas for later. */
type ResearchSurroundings = Pick<ResearchBoard, 'pending' | 'loop' | 'ideas'>

/**
 * Returns the status of the active segment, or undefined without one. `id` is the name of the workspace's
 * directory of sessions, a period, and the name of the session.
 */
export function foldResearchBoard(
  id: string,
  ledger: LedgerState,
  { pending, loop, ideas }: ResearchSurroundings,
): ResearchBoard | undefined {
  const state = { ...ledger, session: id.replace(/^.*\./, ''), pending: [], lines: 0, legacy: [] }
  const view = buildOverview(state)
  if (!view) return undefined
  const { name, objective, metric, unit, direction, gate, segment, command, counts, stopped } = view
  const { final, baseline } = view
  const { drifts = [], runs = [] } = ledger.active ?? {}
  const noted = new Map(runs.map(({ run, asi }) => [run, readNotes(asi)]))
  return {
    id,
    name,
    objective,
    metric,
    unit,
    direction,
    gate,
    segment,
    command,
    counts,
    stopped,
    pending,
    max_runs: view.maxRuns,
    baseline: baseline ? { value: baseline.value, floor_pct: baseline.floorPct } : null,
    best: view.best?.run ?? null,
    final: final ? describeFinal(final) : null,
    runs: view.rows.map((row) => ({ ...describeRun(row), notes: noted.get(row.run) ?? [] })),
    warnings: view.warnings,
    drifts: drifts.map(({ pct, unit = null, drifted, timestamp }) => ({ pct, unit, drifted, timestamp })),
    ideas,
    loop,
    tokens: view.tokens,
    usd: view.usd,
  }
}

const describeFinal = ({ pct, ci, unit, gain, run }: NonNullable<SessionOverview['final']>) => {
  const ends: [number, number] = [ci[0], ci[1]]
  return { pct, ci: ends, unit: unit ?? null, gain, run }
}

const describeRun = (row: OverviewRow): BoardRun => ({
  run: row.run,
  status: row.status,
  reason: row.reason,
  description: row.description,
  metric: row.metric ?? null,
  range: row.range ?? null,
  pct: row.effect?.pct ?? null,
  ci: row.effect ? [row.effect.ci[0], row.effect.ci[1]] : null,
  unit: row.effect?.unit ?? null,
  detail: row.detail ?? null,
  timestamp: row.timestamp,
})

/**
 * Returns those values of `asi` (notes about a run) that are texts and not empty, each cut to
 * 2,000 characters, except `thread`. Knobs and numbers are left out, because the description of
 * the run contains them.
 */
function readNotes(asi: Readonly<Record<string, unknown>> | undefined): NonNullable<BoardRun['notes']> {
  return Object.entries(asi ?? {}).flatMap(([name, text]) =>
    typeof text === 'string' && text !== '' && name !== 'thread'
      ? [{ name, text: text.slice(0, maxNote) }]
      : [],
  )
}

const maxNote = 2_000
