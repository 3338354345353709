import { expect, it } from 'vitest'
import { countCells } from '../../../../internal/render/text/cell-width.ts'
import { makeStudyEntry, type StudyHead } from '../../../../internal/study/log/entries.ts'
import { drawBoard } from '../../../../internal/study/progress/status-board.ts'
import { ended, hostile, studyOf, task } from '../../../support/study.ts'

const look = { width: 80, color: 0, unicode: true, ambiguous: 1, all: true } as const
const began = 1_700_000_000_000
const started = (id: string) =>
  makeStudyEntry('task.started', { task: id, epoch: 1, owner: `w-${id}`, attempt: 1, pid: 1, host: 'h' })

const model = { name: 'openai/gpt-5.4', kind: 'llm' } as const

const running = (count: number, over: Partial<StudyHead> = { model }) =>
  studyOf(
    [
      makeStudyEntry('plan', {
        of: 'rules',
        tasks: Array.from({ length: count }, (_, i) => task(i + 1, `part ${i + 1}`)),
        dropped: [],
        notices: [],
      }),
      started('t1'),
      makeStudyEntry('task.ended', { task: 't1', result: ended('done') }),
      started('t2'),
      makeStudyEntry('step', {
        task: 't2',
        n: 1,
        request: 'r',
        mail: [{ id: 'm', from: 't1', type: 'question', body: 'which lock?' }],
        notes: [],
        reply: { text: '', calls: [{ id: 'c', name: 'grep', args: { pattern: 'lock' } }], end: 'calls' },
        usage: { input: 400, output: 100, usd: 0 },
        ms: 5,
      }),
      makeStudyEntry('status', { status: 'running' }),
    ],
    { budget: { tokens: 2000 }, ...over },
  )

it('counts no tokens where rules do the work', () => {
  expect(drawBoard(running(3, {}), look, 24, began + 65_000)).toContain('running  1:05, 18:55 left')
})

it('has a line for each worker, the budget and the newest message', () => {
  expect(drawBoard(running(3), look, 24, began + 65_000)).toEqual([
    'How does the store lock files, and what happens on a crash?',
    'study 01JD3K8QAA  model openai/gpt-5.4  workers 2  engine embedded',
    '✔ t1   done      0 claims  0 evidence  3 steps  1.0 s',
    '• t2   step 1    grep lock  1:01',
    '  t3   waiting   part 3',
    'running  1:05, 18:55 left  tokens 500 of 2000 (25%)',
    'evidence 0  claims 0  messages 1: t1 to t2 (question) which lock?',
  ])
})

it('fits the screen, and keeps the workers that run', () => {
  const lines = drawBoard(running(32), look, 12, began)
  expect(lines.length).toBeLessThanOrEqual(12)
  expect(lines.join('\n')).toContain('t2   step 1')
  expect(lines.join('\n')).toContain('… 26 more tasks')
})

it.each([20, 80])('is never wider than %i cells, nor more than text', (width) => {
  for (const line of drawBoard(hostile(), { ...look, width }, 24, began)) {
    expect(countCells(line)).toBeLessThanOrEqual(width)
    expect(line).not.toMatch(/[\0-\x1f\x7f-\x9f]/)
  }
})
