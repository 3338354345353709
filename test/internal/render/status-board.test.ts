// The board of a running job in every height: it never has more lines than the screen.
import { expect, test } from 'vitest'
import { drawStatusBoard, type StatusPhase } from '../../../internal/render/status-board.ts'
import { lookOf } from '../../support/session-view.ts'

const phases: readonly StatusPhase[] = ['waiting', 'running', 'done', 'short', 'failed']
const board = (tasks: number, foot: number) => ({
  title: 'Title',
  head: 'head',
  rows: Array.from({ length: tasks }, (_, i) => ({ phase: phases[i % 5] ?? 'done', text: `task ${i}` })),
  foot: Array.from({ length: foot }, (_, i) => `foot ${i}`),
})

test.each([0, 1, 3])('has at most the rows of the screen with %i lines below the tasks', (foot) => {
  for (let tasks = 0; tasks <= 12; tasks++)
    for (let rows = 1; rows <= 20; rows++) {
      const lines = drawStatusBoard(board(tasks, foot), lookOf(40, 1), rows)
      expect(lines.length, `${tasks} tasks in ${rows} rows`).toBeLessThanOrEqual(Math.max(rows, 2 + foot))
      expect(lines.slice(0, 2)).toEqual([expect.stringContaining('Title'), expect.stringContaining('head')])
    }
})

test('counts the tasks without room, and shows running ones first', () => {
  const lines = drawStatusBoard(board(12, 1), lookOf(40, 1), 8)
  expect(lines.filter((line) => line.includes('task '))).toHaveLength(3)
  expect(lines.filter((line) => /task [16]$/.test(line))).toHaveLength(2)
  expect(lines.join('\n')).toContain('9 more tasks')
})
