// One experiment session: every measurement with its interval, the line of best, verdicts, drift, cost.
import { h } from 'preact'
import { useEffect } from 'preact/hooks'
import type { BoardRun, ResearchBoard, ResearchRecord } from '../../../session/board/research-board.ts'
import { useBoardFeed } from '../connection/use-board-feed.ts'
import { formatCount, formatMoney } from '../text/figures.ts'
import { revealText } from '../text/shown-text.ts'
import { WideTable } from '../text/wide-table.ts'
import { RunChart } from './run-chart.ts'

export function ResearchPage({ id }: { id: string }) {
  const { board, stored, broken, problem } = useBoardFeed<ResearchBoard, ResearchRecord>(
    `/v1/research/${encodeURIComponent(id)}`,
  )
  const name = board?.name ?? id
  useEffect(() => {
    document.title = `${revealText(name)} · Anode`
  }, [name])
  return h(
    'div',
    { class: 'run-page', 'data-stored': stored },
    h(
      'div',
      { class: 'talk' },
      h('h1', null, revealText(name)),
      h(
        'p',
        { role: 'status', class: 'quiet' },
        broken ?? (board ? describeState(board) : 'Asking the server…'),
      ),
      h('p', { role: 'alert', class: 'problem' }, problem),
      board && [
        board.objective !== '' && h('p', null, revealText(board.objective)),
        board.warnings.map((text) => h('p', { class: 'notice warning' }, revealText(text))),
        h(RunChart, { board }),
        h(RunTable, { board }),
      ],
    ),
    board && h(ResearchSide, { board }),
  )
}

function describeState({ counts, max_runs: max, stopped, pending }: ResearchBoard): string {
  const total = `${counts['total'] ?? 0}${max > 0 ? ` of ${max}` : ''} runs, ${counts['keep'] ?? 0} kept`
  const open = pending.filter(({ alive }) => alive).map(({ run, state }) => `run ${run} ${state}`)
  return [total, ...(stopped ? ['all are used'] : open)].join(', ')
}

const signed = (value: number) => `${value > 0 ? '+' : ''}${value.toFixed(1)} %`

function formatEffect(pct: number | null, ci: readonly [number, number] | null): string {
  return pct === null || ci === null ? '' : `${signed(pct)} [${signed(ci[0])}, ${signed(ci[1])}]`
}

function RunTable({ board: { runs, best, metric, unit } }: { board: ResearchBoard }) {
  const heads = [
    'run',
    'verdict',
    `${metric}${unit === '' ? '' : ` (${unit})`}`,
    'against best',
    'what was tried',
  ]
  const row = (run: BoardRun) =>
    h(
      'tr',
      { key: run.run, class: run.status },
      h('th', { scope: 'row' }, run.run === best ? `${run.run}, best` : String(run.run)),
      h('td', null, revealText(run.reason === run.status ? run.status : `${run.status}: ${run.reason}`)),
      h('td', null, run.metric === null ? '' : Number(run.metric.toPrecision(5)).toString()),
      h('td', null, formatEffect(run.pct, run.ci)),
      h('td', null, revealText(run.detail === null ? run.description : `${run.description} (${run.detail})`)),
    )
  return h(WideTable, { label: 'Runs', heads, rows: runs.toReversed().map(row) })
}

function ResearchSide({ board }: { board: ResearchBoard }) {
  const { baseline, final } = board
  const facts: [string, string][] = [
    ['metric', `${board.metric}, ${board.direction} is better`],
    ['gate', board.gate],
    ['segment', String(board.segment)],
    ['command', board.command],
    ['baseline', baseline === null ? 'not measured yet' : String(Number(baseline.value.toPrecision(5)))],
    ['noise floor', baseline === null ? '' : `${baseline.floor_pct.toFixed(1)} %`],
    [
      'final',
      final === null
        ? 'not measured'
        : `${formatEffect(final.pct, final.ci)}${final.gain ? '' : ', no gain shown'}`,
    ],
    ['tokens', formatCount(board.tokens)],
    ['cost', formatMoney(board.usd)],
  ]
  return h(
    'aside',
    { 'aria-label': 'About this session' },
    h(
      'dl',
      null,
      facts.flatMap(([name, value]) => [h('dt', null, name), h('dd', null, revealText(value))]),
    ),
  )
}
