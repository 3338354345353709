// The lines of a build: its status with each task, and the end of a task among its entries.
import { expect, it } from 'vitest'
import { formatBuildEntry, formatBuildStatus } from '../../../../internal/build/report/build-lines.ts'
import type { BuildSummary, BuildTaskSummary } from '../../../../internal/build/summary.ts'

const makeTask = (id: string, more: Partial<BuildTaskSummary>): BuildTaskSummary => ({
  ...{ id, title: id, state: 'waiting', why: null, detail: null, worker: null, attempt: 0 },
  ...{ scope: [`src/${id}/**`], after: [], blockers: [], check: null, flaky: false, commit: null },
  ...{ files: [], thread: null, tokens: 0, usd: 0, ms: 0, ...more },
})
const makeBuild = (tasks: readonly BuildTaskSummary[]): BuildSummary => ({
  ...{ id: '01B', goal: 'Rename', workspace: '/w', status: 'running', end: null, detail: null },
  ...{ branch: 'anode/build/01B', base: 'c0', tip: 'c0', proof: null, repaid_steps: 0, queue: [] },
  ...{ critical_path: ['a', 'b'], tasks, tokens: 0, usd: 0, created: 0, updated: 0 },
  ...{ deadline: null, pid: 1 },
})
const work = { worker: 'agent', attempt: 1 }

/** Tasks, and what the status says about each. */
const rows: [title: string, task: Partial<BuildTaskSummary>, lines: string[]][] = [
  [
    'waits for others',
    { blockers: ['b', 'c'] },
    ['a     waiting               scope src/a/**  waits for b, c'],
  ],
  [
    'has used tokens',
    { ...work, state: 'running', tokens: 500, usd: 0.0123, scope: ['src/a/**', 'LOG'] },
    ['a     running               agent     attempt 1  tokens 500  $0.0123  scope src/a/**, LOG'],
  ],
  [
    'has an unknown cost',
    { ...work, state: 'merged', commit: 'c123456789abc', usd: null },
    ['a     merged                agent     attempt 1  cost unknown  c123456789'],
  ],
  [
    'fails a check',
    { ...work, state: 'failed', why: 'checks', check: 'npm test', detail: 'npm test\none\n\ntwo\n' },
    [
      'a     failed (a check failed)  agent     attempt 1  scope src/a/**  check npm test',
      '    one',
      '    two',
    ],
  ],
  [
    'fails with many lines',
    { ...work, state: 'failed', why: 'work', detail: ['exit 3', ...'0123456789abc'].join('\n') },
    [
      'a     failed (its worker failed)  agent     attempt 1  scope src/a/**  exit 3',
      ...[...'123456789abc'].map((line) => `    ${line}`),
    ],
  ],
  [
    'is reopened',
    { ...work, state: 'reopened', why: 'conflict', detail: 'LOG\n<<<<' },
    ['a     reopened (conflict)   agent     attempt 1  scope src/a/**  LOG'],
  ],
]
it.each(rows)('has the lines of a task that %s', (_, task, lines) => {
  expect(formatBuildStatus(makeBuild([makeTask('a', task)])).slice(3)).toEqual(lines)
})

it('has the queue and the critical path until the build ends', () => {
  const tasks = [makeTask('a', { state: 'queued' }), makeTask('b', {})]
  const build = { ...makeBuild(tasks), queue: ['a'] }
  expect(formatBuildStatus(build).slice(-2)).toEqual(['queue  a', 'critical path  a, b'])
  expect(formatBuildStatus({ ...build, end: 'done' }).at(-1)).toBe('queue  a')
})

it.each([
  ['checks', 'failed (a check failed)'],
  ['dependency', 'not run (depends on an unmerged task)'],
  ['limit', 'ended (a limit was reached)'],
  ['cancelled', 'ended (cancelled)'],
])('names the end of a task by %s', (why, words) => {
  const data = { task: 'a', why, detail: '\none\ntwo', patch: [] }
  expect(formatBuildEntry({ kind: 'task.ended', data })).toBe(`a  ${words}  one`)
})
