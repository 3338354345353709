// A study as lines at every width, without control sequences.
import { describe, expect, it } from 'vitest'
import { countCells } from '../../../../internal/render/text/cell-width.ts'
import {
  drawStudyFrame,
  drawStudyPane,
  drawStudyRows,
  drawTaskClaims,
} from '../../../../internal/tui/board/study-lines.ts'
import { boardTime, studyBoard } from './sample.ts'

const lookOf = (width: number, unicode = true) =>
  ({ width, color: 0, unicode, ambiguous: 1, all: false }) as const

describe('a study', () => {
  it('is a part of the pane: tasks with their latest step, and its usage', () => {
    expect(drawStudyPane(studyBoard(), boardTime, lookOf(48))).toEqual([
      'STUDY 01JD3K8QAA                          /study',
      '✔ t1 objective t1                4 claims  1.1 s',
      '✖ t2 objective t2       failed: no model  41.0 s',
      '● t3 objectiv…  step 5  read thread.ts  attempt…',
      '○ t4 objective t4                        waiting',
      '  tokens 31204 of 200000 (16%)  $0.11  2 claims…',
      '',
    ])
  })

  it('shows the running tasks if there are many, and no price for rules', () => {
    const tasks = Array.from({ length: 12 }, (_, i) => ({
      ...(studyBoard().tasks[i === 9 ? 2 : 3] as ReturnType<typeof studyBoard>['tasks'][number]),
      id: `t${i + 1}`,
    }))
    const lines = drawStudyPane(studyBoard({ tasks, model: 'builtin/extract' }), boardTime, lookOf(48))
    expect(lines.filter((line) => line.includes('t10'))).toHaveLength(1)
    expect(lines.at(-3)).toBe('  6 more tasks')
    expect(lines.at(-2)).toBe('  2 claims  evidence 9')
  })

  it('is a row above the editor while it runs', () => {
    const [first, second] = drawStudyRows(studyBoard(), boardTime, lookOf(79))
    expect(first).toMatch(/^ ● study {2}01JD3K8QAA {2}3 workers +2 of 4 tasks {2}2 claims {2}1:00 min$/)
    expect(second).toMatch(/^ {3}● t3 objective t3 +step 5 {2}read thread\.ts {2}attempt 2$/)
    expect(drawStudyRows(studyBoard({ isOver: true }), boardTime, lookOf(79))).toEqual([])
  })

  it('shows the claims of a task with their evidence, each quote once', () => {
    const text = drawTaskClaims(studyBoard(), 't1', lookOf(60)).join('\n')
    expect(text).toContain('+ It is flushed late.\n  "flush() // later"\n  a.ts:3-4')
    expect(text).toContain('- (not found) It is lost.\n  e2')
    expect(text).toContain('not answered: who calls it')
    expect(drawTaskClaims(studyBoard(), 't9', lookOf(60))).toEqual([])
  })

  it('shows with them the messages to and from the task', () => {
    const mailOf = (id: string) =>
      drawTaskClaims(studyBoard(), id, lookOf(60)).filter((line) => / to t\d \(/.test(line))
    expect(mailOf('t1')).toEqual(['t1 to t3 (finding) look at flush'])
    expect(mailOf('t3')).toEqual(['t2 to t3 (question) is it the lock?', 't1 to t3 (finding) look at flush'])
    expect(mailOf('t4')).toEqual([])
  })

  it('is never wider than the screen, and prints no control sequences', () => {
    for (const width of [10, 17, 24, 39, 60, 119])
      for (const unicode of [true, false]) {
        const look = lookOf(width, unicode)
        const { head, tail } = drawStudyFrame(studyBoard(), boardTime, look)
        const rows = [
          ...drawStudyPane(studyBoard(), boardTime, look),
          ...drawStudyRows(studyBoard(), boardTime, look),
          ...drawTaskClaims(studyBoard(), 't1', look),
          ...[...head, ...tail],
        ]
        for (const row of rows) {
          expect(countCells(row), `${width}: ${row}`).toBeLessThanOrEqual(width)
          expect(row).not.toMatch(/\x1b/)
        }
      }
  })
})
