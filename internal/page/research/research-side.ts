// Facts next to an experiment session: its metric and how runs are judged, its baseline and drift, its final
// measurement and its cost.

import { h } from 'preact'
import { describeGate } from '../../base/text/judgment-text.ts'
import type { ResearchBoard } from '../../session/board/research-board.ts'
import { FactList, type ShownFact } from '../part/fact-list.ts'
import { formatAge, formatCount, formatMoney } from '../text/figures.ts'
import { revealText } from '../text/shown-text.ts'
import { formatChange, formatEffect, formatValue } from './effect-text.ts'

export function ResearchSide({ board }: { board: ResearchBoard }) {
  const { drifts = [] } = board
  return h(
    'aside',
    { 'aria-label': 'About this session' },
    h(FactList, { facts: readFacts(board) }),
    drifts.length > 0 && [
      h('h2', null, 'Drift of the baseline'),
      h(
        'ul',
        { class: 'side-list', tabIndex: 0, 'aria-label': 'Drift of the baseline' },
        drifts
          .toReversed()
          .map((drift) =>
            h(
              'li',
              { class: drift.drifted ? 'bad' : undefined },
              h('b', null, formatChange(drift)),
              describeDrift(drift.drifted, drift.timestamp),
            ),
          ),
      ),
    ],
  )
}

function describeDrift(drifted: boolean, timestamp: string): string {
  const age = formatAge(Date.parse(timestamp), Date.now())
  return ` ${drifted ? 'has moved' : 'within its noise'}, ${age} ago`
}

export function readFacts(board: ResearchBoard): ShownFact[] {
  const { baseline, final, runs, best, loop, max_runs: max, unit } = board
  const total = board.counts['total'] ?? 0
  const bestRun = runs.find(({ run }) => run === best)
  const withUnit = (value: number) => `${formatValue(value)}${unit && ` ${unit}`}`
  const facts: (ShownFact | false)[] = [
    { name: 'metric', value: `${board.metric}, ${board.direction} is better` },
    {
      name: 'judged by',
      value: describeGate(board.gate),
    },
    board.segment > 0 && { name: 'resets', value: String(board.segment) },
    { name: 'command', value: h('code', null, revealText(board.command)) },
    { name: 'baseline', value: baseline === null ? 'not measured yet' : withUnit(baseline.value) },
    baseline !== null && { name: 'noise floor', value: `${baseline.floor_pct.toFixed(1)} %` },
    bestRun?.metric != null && { name: 'best', value: `${withUnit(bestRun.metric)}, run ${best}` },
    {
      name: 'final',
      value: final === null ? 'not measured' : `${formatEffect(final)}${final.gain ? '' : ', no gain shown'}`,
    },
    max > 0 && { name: 'runs', value: `${total} of ${max}`, share: total / max },
    loop != null && { name: 'loop', value: `${loop.policy}, since ${formatAge(loop.started, Date.now())}` },
    { name: 'tokens', value: formatCount(board.tokens) },
    board.usd !== null && { name: 'cost', value: formatMoney(board.usd) },
  ]
  return facts.filter((fact) => fact !== false)
}
