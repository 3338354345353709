// Table of a session's runs with their verdicts, latest first. A row with notes opens to show them.
import { h } from 'preact'
import type { BoardRun, ResearchBoard } from '../../session/board/research-board.ts'
import { useNarrowScreen } from '../part/media-query.ts'
import { StateMark } from '../part/state-mark.ts'
import { revealText } from '../text/shown-text.ts'
import { figureHeads, WideTable } from '../text/wide-table.ts'
import { formatEffect, formatValue } from './effect-text.ts'
import { verdictOf } from './run-verdict.ts'

const tones = { kept: 'good', same: 'quiet', broken: 'bad' } as const

/**
 * Shows the runs. On a narrow screen, where the table scrolls, the description of the change is
 * the first column.
 */
export function RunTable({ board: { runs, best, metric, unit } }: { board: ResearchBoard }) {
  const isNarrow = useNarrowScreen()
  const value = `${metric}${unit === '' ? '' : ` (${unit})`}`
  const runHeads = ['run', 'verdict', ...figureHeads(value, 'against best')]
  const heads = isNarrow ? ['what was tried', ...runHeads] : [...runHeads, 'what was tried']
  const row = (run: BoardRun) => {
    const idea = h('td', { class: 'idea' }, h(TriedIdea, { run }))
    const cells = [
      h('th', { scope: 'row' }, run.run === best ? `${run.run}, best` : String(run.run)),
      h('td', null, h(StateMark, { tone: tones[verdictOf(run.status)], words: describeVerdict(run) })),
      h('td', { class: 'figure' }, run.metric === null ? '' : formatValue(run.metric)),
      h('td', { class: 'figure' }, formatEffect(run)),
    ]
    const name = run.run === best ? 'best' : undefined
    return h('tr', { key: run.run, class: name }, isNarrow ? [idea, ...cells] : [...cells, idea])
  }
  return h(WideTable, { label: 'Runs', heads, rows: runs.toReversed().map(row) })
}

const pastWords: Readonly<Record<string, string>> = { keep: 'kept', discard: 'discarded' }

function describeVerdict({ status, reason }: BoardRun): string {
  const word = pastWords[status] ?? status.replaceAll('_', ' ')
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
