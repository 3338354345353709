// Experiments as lines at every width, without control sequences.
import { describe, expect, it } from 'vitest'
import { countCells } from '../../../../internal/render/text/cell-width.ts'
import type { BoardRun } from '../../../../internal/session/board/research-board.ts'
import {
  drawExperimentFrame,
  drawExperimentPane,
  drawExperimentRows,
  drawRun,
  drawRunDetails,
} from '../../../../internal/tui/board/experiment-lines.ts'
import { boardTime, researchBoard } from './sample.ts'

const lookOf = (width: number, unicode = true) =>
  ({ width, color: 0, unicode, ambiguous: 1, all: false }) as const

describe('experiments', () => {
  it('are a part of the pane: their status, the curve, and the current measurement', () => {
    expect(drawExperimentPane(researchBoard(), boardTime, lookOf(48))).toEqual([
      'EXPERIMENTS  loop-time                 /research',
      'run 14  best -6.2% [-8.1, -4.0]  kept 3',
      '██▁  noise floor 1.1%',
      'run 15  measured  5.0 s',
      '',
    ])
    const empty = researchBoard({ runs: [], best: null, baseline: null, pending: [] })
    expect(drawExperimentPane(empty, boardTime, lookOf(48)).slice(1, 3)).toEqual([
      'no run yet  best: the baseline  kept 3',
      'no baseline yet',
    ])
  })

  it.each([
    [null, '+3.0% [1.0, 5.0]', 'run 2  -6.0% [-8.0, -4.0]  a gain'],
    ['absolute' as const, '+3.0 [1.0, 5.0]', 'run 2  -6.0 [-8.0, -4.0]  a gain'],
  ])('show a change with the unit %s', (unit, change, final) => {
    const [, second] = researchBoard().runs
    const run = { ...(second as BoardRun), pct: 3, ci: [1, 5] as [number, number], unit }
    const board = researchBoard({
      runs: [run],
      final: { pct: -6, ci: [-8, -4], unit, gain: true, run: 2 },
    })
    const { head } = drawExperimentFrame(board, boardTime, lookOf(80))
    expect(head).toContain(`final     ${final}`)
    expect(head).toContainEqual(expect.stringContaining(`best ${change}  kept`))
    expect(drawExperimentPane(board, boardTime, lookOf(80))[1]).toContain(`best ${change}  kept`)
    expect(drawRun(run, 'ms', lookOf(80))).toContain(` ${change} `)
    expect(drawRunDetails(board, 2, lookOf(80))).toContain(`change    ${change}`)
  })

  it('are a row above the editor during a measurement', () => {
    const [row] = drawExperimentRows(researchBoard(), boardTime, lookOf(79))
    expect(row).toMatch(/^ ● experiments {2}run 14 .* run 15 {2}measured {2}5\.0 s$/)
    expect(drawExperimentRows(researchBoard({ pending: [] }), boardTime, lookOf(79))).toEqual([])
  })

  it('show the known facts of one run', () => {
    const text = drawRunDetails(researchBoard(), 2, lookOf(60)).join('\n')
    expect(text).toContain('verdict   keep: no gain')
    expect(text).toContain('interval  91.9 ms to 96 ms')
    expect(drawRunDetails(researchBoard(), 99, lookOf(60))).toEqual([])
  })

  it('are never wider than the screen, and print no control sequences', () => {
    for (const width of [10, 17, 24, 39, 60, 119])
      for (const unicode of [true, false]) {
        const look = lookOf(width, unicode)
        const board = researchBoard()
        const { head, tail } = drawExperimentFrame(board, boardTime, look)
        const rows = [
          ...drawExperimentPane(board, boardTime, look),
          ...drawExperimentRows(board, boardTime, look),
          ...board.runs.map((run) => drawRun(run, board.unit, look)),
          ...board.runs.flatMap(({ run }) => drawRunDetails(board, run, look)),
          ...[...head, ...tail],
        ]
        for (const row of rows) {
          expect(countCells(row), `${width}: ${row}`).toBeLessThanOrEqual(width)
          expect(row).not.toMatch(/\x1b|\x07/)
        }
      }
  })
})
