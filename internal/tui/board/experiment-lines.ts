// Lines about experiments for the pane, for the row above the editor, and for the page of experiments. The
// functions are pure.

import { countNoun } from '../../base/text/count-noun.ts'
import { describeJudgment } from '../../base/text/judgment-text.ts'
import { drawSpark } from '../../render/chart/sparkline.ts'
import type { RenderLook } from '../../render/pen.ts'
import type { TextStyle } from '../../render/text/color.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { BoardRun, ResearchBoard } from '../../session/board/research-board.ts'
import { formatDuration } from '../duration.ts'
import { costFacts } from '../run-view/run-end.ts'
import { indentLines, margin, narrowLook, penOfLook, spreadLine } from '../view/look-pen.ts'
import { drawPartTitle } from '../view/part-title.ts'

/** Largest number of runs in the curve of results. Of more runs, only the latest are drawn. */
const maxSparks = 40

export function drawExperimentPane(board: ResearchBoard, now: number, look: RenderLook): string[] {
  const pen = penOfLook(look)
  const dim = pen.paint({ dim: true })
  const floor = board.baseline ? `noise floor ${board.baseline.floor_pct.toFixed(1)}%` : 'no baseline yet'
  const curve = curveOf(board, Math.min(maxSparks, Math.max(8, look.width - floor.length - 2)), look)
  return [
    drawPartTitle(`EXPERIMENTS  ${sanitizeText(board.name)}`, '/research', look),
    pen.clip(sanitizeText(standingWords(board)), look.width),
    pen.clip([curve, floor].filter((part) => part !== '').join('  '), look.width),
    ...pendingWords(board, now).map((text) => dim(pen.clip(text, look.width))),
    '',
  ]
}

/** Returns one row while a measurement is pending; otherwise none. */
export function drawExperimentRows(board: ResearchBoard, now: number, look: RenderLook): string[] {
  const [running] = pendingWords(board, now)
  if (running === undefined) return []
  const pen = penOfLook(narrowLook(look, margin))
  const mark = look.unicode ? '●' : '[>]'
  const room = pen.look.width - pen.cells(mark) - 1
  const line = spreadLine(`experiments  ${sanitizeText(standingWords(board))}`, running, room, pen)
  return indentLines([`${pen.paint({ color: 'cyan' })(mark)} ${line}`])
}

/** Returns the state of the experiments in words, for example `run 14  best -6.2% [-8.1, -4.0]  kept 3`. */
function standingWords({ runs, best, counts }: ResearchBoard): string {
  const last = runs.at(-1)
  const bestRun = runs.find(({ run }) => run === best)
  return [
    last ? `run ${last.run}` : 'no run yet',
    bestRun ? `best ${changeWords(bestRun)}` : 'best: the baseline',
    `kept ${counts.keep ?? 0}`,
  ].join('  ')
}

function changeWords({ pct, ci, unit }: BoardRun): string {
  if (pct === null) return 'without a comparison'
  const interval = ci && ci[0] !== ci[1] ? ` [${ci.map((end) => end.toFixed(1)).join(', ')}]` : ''
  return `${sizeWords(pct, unit)}${interval}`
}

/** Returns a change with its sign, without `%` if it is in the unit of the metric. */
const sizeWords = (pct: number, unit: BoardRun['unit']) =>
  `${pct > 0 ? '+' : ''}${pct.toFixed(1)}${unit === 'absolute' ? '' : '%'}`

const pendingWords = ({ pending }: ResearchBoard, now: number): string[] =>
  pending.map(({ run, state, alive, started }) => {
    const time = alive ? formatDuration(Math.max(0, now - Date.parse(started))) : 'its process has ended'
    return sanitizeText(`run ${run}  ${state}  ${time}`)
  })

function curveOf({ runs }: ResearchBoard, width: number, look: RenderLook): string {
  const values = runs.flatMap(({ metric }) => (metric === null ? [] : [metric])).slice(-maxSparks)
  return values.length < 3 ? '' : drawSpark(values, width, {}, penOfLook(look))
}

/** Returns the lines above and below the list of runs on the page. */
export function drawExperimentFrame(
  board: ResearchBoard,
  now: number,
  look: RenderLook,
): { head: string[]; tail: string[] } {
  const pen = penOfLook(look)
  const wrap = (text: string) => pen.wrap(sanitizeText(text), look.width)
  const { baseline, final, unit, max_runs: max } = board
  const facts: [string, string | undefined][] = [
    ['goal', board.objective],
    ['judged by', describeJudgment(board)],
    ['baseline', baseline ? baselineWords(baseline, unit) : undefined],
    ['now', standingWords(board) + (max > 0 ? `  of ${countNoun(max, 'run')}` : '')],
    ['final', final ? finalWords(final) : undefined],
    ['cost', board.tokens > 0 ? [...costFacts(board.usd), `${board.tokens} tokens`].join('  ') : undefined],
  ]
  const curve = curveOf(board, look.width, look)
  return {
    head: [
      ...wrap(`${board.name}: ${board.metric}, ${board.direction} is better`).map(pen.paint({ bold: true })),
      ...facts.flatMap(([name, text]) => (text ? wrap(`${name.padEnd(9)} ${text}`) : [])),
      ...(curve === '' ? [] : [pen.clip(curve, look.width)]),
      '',
    ],
    tail: [
      '',
      ...pendingWords(board, now).map((text) => pen.paint({ color: 'cyan' })(pen.clip(text, look.width))),
      ...board.warnings.flatMap((text) => wrap(`! ${text}`).map(pen.paint({ color: 'yellow' }))),
    ],
  }
}

const baselineWords = ({ value, floor_pct: floor }: NonNullable<ResearchBoard['baseline']>, unit: string) =>
  `${formatAmount(value, unit)}, noise floor ${floor.toFixed(1)}%`

type FinalMeasurement = NonNullable<ResearchBoard['final']>

const finalWords = ({ pct, ci, unit, gain, run }: FinalMeasurement) =>
  `run ${run}  ${sizeWords(pct, unit)} [${ci[0].toFixed(1)}, ${ci[1].toFixed(1)}]  ` +
  (gain ? 'a gain' : 'no gain shown')

const formatAmount = (value: number, unit: string) =>
  `${Number(value.toPrecision(4))}${unit === '' ? '' : ` ${unit}`}`

const runStyles: Readonly<Record<string, TextStyle>> = {
  keep: { color: 'green' },
  crash: { color: 'red' },
  checks_failed: { color: 'red' },
}

/**
 * Returns one row about a run: number, value, change, verdict and description. With fewer than 70 columns,
 * value and change are omitted.
 */
export function drawRun(run: BoardRun, unit: string, look: RenderLook): string {
  const pen = penOfLook(look)
  const value = run.metric === null ? '' : formatAmount(run.metric, unit)
  const change = run.pct === null ? '' : changeWords(run)
  const verdict = `${run.status.replaceAll('_', ' ')}`
  const isNarrow = look.width < 70
  const columns = isNarrow
    ? `${String(run.run).padStart(3)}  ${verdict.padEnd(13)} `
    : `${String(run.run).padStart(3)}  ${value.padEnd(12)} ${change.padEnd(20)} ${verdict.padEnd(13)} `
  const text = pen.clip(sanitizeText(columns + run.description), look.width)
  const style = runStyles[run.status]
  return style ? pen.paint(style)(text) : text
}

/**
 * Returns lines with the facts of one run, without the notes of its proposer; an empty list for
 * an unknown run.
 */
export function drawRunDetails(board: ResearchBoard, number: number, look: RenderLook): string[] {
  const run = board.runs.find((one) => one.run === number)
  if (!run) return []
  const pen = penOfLook(look)
  const facts: [string, string | null][] = [
    ['run', `${run.run}  ${run.timestamp}`],
    ['verdict', `${run.status.replaceAll('_', ' ')}: ${run.reason.replaceAll('_', ' ')}`],
    ['value', run.metric === null ? null : formatAmount(run.metric, board.unit)],
    ['interval', run.range ? run.range.map((end) => formatAmount(end, board.unit)).join(' to ') : null],
    ['change', run.pct === null ? null : changeWords(run)],
    ['what', run.description],
    ['why', run.detail],
  ]
  return facts.flatMap(([name, text]) =>
    text === null || text === '' ? [] : pen.wrap(`${name.padEnd(9)} ${sanitizeText(text)}`, look.width),
  )
}
