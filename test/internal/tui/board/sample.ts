// A study and experiments as data, for views of them.

import type { BoardRun, ResearchBoard } from '../../../../internal/session/board/research-board.ts'
import type { BoardTask, StudyBoard } from '../../../../internal/session/board/study-board.ts'

export const boardTime = 1_700_000_100_000

const task = (id: string, phase: BoardTask['phase'], over: Partial<BoardTask> = {}): BoardTask => ({
  ...{
    id,
    objective: `objective ${id}`,
    phase,
    news: null,
    owner: 'host-1',
    attempts: 1,
    steps: 3,
    claims: 0,
  },
  ...{ started: boardTime - 41_000, ended: null },
  ...over,
})

export const studyBoard = (over: Partial<StudyBoard> = {}): StudyBoard => ({
  ...{
    id: '01JD3K8QAAAAAAAAAAAAAAAAAA',
    question: 'Why does resume lose the last event?',
    status: 'running',
  },
  ...{ outcome: 'goes on', reason: null, abandoned: false, isOver: false, created: boardTime - 60_000 },
  ...{
    updated: boardTime,
    deadline: boardTime + 60_000,
    model: 'openai/gpt-5.4',
    engine: 'embedded',
    workers: 3,
  },
  tasks: [
    task('t1', 'done', { claims: 4, ended: boardTime - 39_900 }),
    task('t2', 'failed', { news: 'failed: no_model' }),
    task('t3', 'running', { steps: 5, news: 'read thread.ts', attempts: 2 }),
    task('t4', 'waiting', { started: null, owner: null }),
  ],
  claims: [
    {
      ...{ id: 'c1', task: 't1', text: 'It is flushed late.', quote: 'flush() // later', place: 'a.ts:3-4' },
      ...{ evidence: 'e1', state: 'verified', verified: true, reason: null },
    },
    {
      ...{ id: 'c2', task: 't1', text: 'It is lost.', quote: 'It is lost.', place: null, evidence: 'e2' },
      ...{ state: 'not_found', verified: false, reason: 'not found' },
    },
  ],
  ...{ evidence: 9, coverage: 0.5, citation_accuracy: null, tokens: 31_204, max_tokens: 200_000, usd: 0.11 },
  ...{ messages: 2, last_message: { from: 't1', to: 't3', type: 'finding', body: 'look at \x1b[2Jflush' } },
  mail: [
    { from: 't2', to: 't3', type: 'question', body: 'is it the lock?' },
    { from: 't1', to: 't3', type: 'finding', body: 'look at \x1b[2Jflush' },
  ],
  ...{
    notices: [{ code: 'x', text: 'one source was left out' }],
    gaps: [{ task: 't1', gap: 'who calls it' }],
  },
  ...over,
})

const run = (number: number, over: Partial<ResearchBoard['runs'][number]> = {}): BoardRun => ({
  ...{
    run: number,
    status: 'discard',
    reason: 'no_gain',
    description: `try ${number}`,
    metric: 100 - number,
  },
  ...{ range: null, pct: null, ci: null, unit: null, detail: null, timestamp: '2024-01-01T00:00:00Z' },
  ...over,
})

export const researchBoard = (over: Partial<ResearchBoard> = {}): ResearchBoard => ({
  ...{ id: 'shop-1.try', name: 'loop-time', objective: 'a faster loop', metric: 'ms', unit: 'ms' },
  ...{ direction: 'lower' as const, gate: 'paired', segment: 0, command: 'node loop.js', max_runs: 20 },
  ...{ counts: { keep: 3 }, stopped: false, baseline: { value: 100, floor_pct: 1.1 }, best: 2 },
  final: { pct: -6, ci: [-8, -4], unit: null, gain: true, run: 2 },
  runs: [
    run(1),
    run(2, { status: 'keep', pct: -6.2, ci: [-8.1, -4], range: [91.9, 96] }),
    run(3, { status: 'crash', reason: 'exit 2', metric: null, detail: 'it \x1b]0;fell\x07 over' }),
    run(14),
  ],
  pending: [{ run: 15, state: 'measured', alive: true, started: new Date(boardTime - 5_000).toISOString() }],
  ...{ warnings: ['the metric is noisy'], tokens: 1_000, usd: 0.2 },
  ...over,
})
