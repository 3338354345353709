// Every run of a session with its verdict, the newest first; what was noted down opens.
import { h } from 'preact'
import type { BoardRun, ResearchBoard } from '../../session/board/research-board.ts'
import { StateMark } from '../part/state-mark.ts'
import { revealText } from '../text/shown-text.ts'
import { figureHeads, WideTable } from '../text/wide-table.ts'
import { formatEffect, formatValue } from './effect-text.ts'
import { verdictOf } from './run-verdict.ts'

const tones = { kept: 'good', same: 'quiet', broken: 'bad' } as const

export function RunTable({ board: { runs, best, metric, unit } }: { board: ResearchBoard }) {
  const value = `${metric}${unit === '' ? '' : ` (${unit})`}`
  const heads = ['run', 'verdict', ...figureHeads(value, 'against best'), 'what was tried']
  const row = (run: BoardRun) =>
    h(
      'tr',
      { key: run.run, class: run.run === best ? 'best' : undefined },
      h('th', { scope: 'row' }, run.run === best ? `${run.run}, best` : String(run.run)),
      h('td', null, h(StateMark, { tone: tones[verdictOf(run.status)], words: describeVerdict(run) })),
      h('td', { class: 'figure' }, run.metric === null ? '' : formatValue(run.metric)),
      h('td', { class: 'figure' }, formatEffect(run.pct, run.ci)),
      h('td', null, h(TriedIdea, { run })),
    )
  return h(WideTable, { label: 'Runs', heads, rows: runs.toReversed().map(row) })
}

function describeVerdict({ status, reason }: BoardRun): string {
  const word = status === 'keep' ? 'kept' : status.replaceAll('_', ' ')
  return reason === status ? word : `${word}: ${reason.replaceAll('_', ' ')}`
}

function TriedIdea({ run: { description, detail, notes = [] } }: { run: BoardRun }) {
  const text = revealText(detail === null ? description : `${description} (${detail})`)
  if (notes.length === 0) return text
  const lines = notes.flatMap(({ name, text: note }) => [
    h('dt', null, revealText(name.replaceAll('_', ' '))),
    h('dd', null, revealText(note)),
  ])
  return h('details', { class: 'tried' }, h('summary', null, text), h('dl', { class: 'facts' }, lines))
}
