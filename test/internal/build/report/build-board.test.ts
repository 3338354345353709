// The board of a build: a row for each state, that for which a task waits, and every size of terminal.
import { expect, it } from 'vitest'
import { type BuildEntryKind, makeBuildEntry } from '../../../../internal/build/entries.ts'
import { drawBuildBoard, followBuildBoard } from '../../../../internal/build/report/build-board.ts'
import { foldBuild } from '../../../../internal/build/state.ts'
import { summarizeBuild } from '../../../../internal/build/summary.ts'
import { countCells } from '../../../../internal/render/text/cell-width.ts'

type Draft = [kind: BuildEntryKind, data: object]

const look = { width: 79, color: 0, unicode: true, ambiguous: 1, all: true } as const
const began = 1_700_000_000_000
const id = '01JD3K8QAAAAAAAAAAAAAAAAAA'
const makeTask = (name: string, more: object = {}) => ({
  ...{ id: name, run: `make ${name}`, scope: [`src/${name}/**`], until: [], after: [], allow: [] },
  ...more,
})
const head = { id, goal: 'Rename', base: 'c0', ref: `refs/heads/anode/build/${id}`, created: began }
const planned = (tasks: object[], until = ['npm test']): Draft[] => [
  ['build', head],
  ['plan', { plan: { goal: 'g', until, shared: [], tasks } }],
  ['leader', { pid: 1, host: 'h' }],
]
const started = (task: string, attempt = 1, worker = 'command'): Draft => [
  'task.started',
  { task, attempt, worker, tip: 'c0', worktree: '/w' },
]
const worked = (task: string): Draft => ['step', { task, attempt: 1, n: 1, exit: 0, ms: 1, output: '' }]
const queued = (task: string): Draft => ['queued', { task, attempt: 1 }]
const merging = (task: string): Draft => ['merge.started', { task, tip: 'c0', commit: 'c123456789abc' }]
const merged = (task: string): Draft => ['merged', { task, tip: 'c0', commit: 'c123456789abc', files: ['a'] }]
const reopened = (task: string, why: string): Draft => [
  'reopened',
  { task, attempt: 1, why, detail: '\nCHANGELOG.md\nmore', patch: [] },
]
const ended = (task: string, why: string): Draft => [
  'task.ended',
  { task, why, detail: 'exit 1\nlast line', patch: [] },
]
const paid = (task: string, usd: number | null): Draft => [
  'step',
  {
    ...{ task, n: 1, asked: 'r', ms: 1 },
    ...{ reply: { text: '', calls: [], end: 'stop' }, usage: { input: 400, output: 100, usd } },
  },
]

const linesOf = (drafts: readonly Draft[]) =>
  drafts.map(([kind, data], i) => ({
    ...makeBuildEntry(kind, data as never),
    ...{ seq: i + 1, ts: began + i * 1_000 },
  }))
function draw(drafts: readonly Draft[], { width = 79, rows = 23, now = began + 65_000 } = {}): string[] {
  const summary = summarizeBuild(foldBuild(linesOf(drafts)), true, now)
  return drawBuildBoard(summary, { ...look, width }, rows, now)
}

it('has a row for each task, the queue, time and cost', () => {
  const tasks = ['api', 'format', 'docs', 'pages', 'late'].map((name) => makeTask(name))
  tasks.push(
    makeTask('shared', { scope: ['src/api/**', 'src/late/**'] }),
    makeTask('last', { after: ['late'] }),
  )
  const drafts = [
    ...planned(tasks),
    ...[started('api'), started('format'), started('docs'), started('pages')],
    ...[worked('api'), queued('api'), merging('api'), worked('format'), queued('format'), worked('docs')],
  ]
  expect(draw(drafts)).toEqual([
    'Rename',
    `build 01JD3K8QAA  anode/build/${id}`,
    '• api     merging   command   1:02  check npm test',
    '• format  queued    command   1:01  waits for api',
    '• docs    checking  command   1:00  check npm test',
    '• pages   running   command   59 s  make pages',
    '  late    waiting                   waits for a worker',
    '  shared  waiting                   waits for api, late',
    '  last    waiting                   waits for late',
    'queue  api (merging), format',
    'running  1:05  0 of 7 tasks merged',
  ])
})

const states: readonly [Draft[], RegExp][] = [
  [[], /^ {2}a {2}waiting {2}waits for a worker$/],
  [[started('a')], /^• a {2}running {2}command {2} 1:02 {2}make a$/],
  [[started('a'), started('a', 2)], /^• a {2}running {2}command {2} 1:02 {2}attempt 2 {2}make a$/],
  [[started('a'), worked('a')], /^• a {2}checking {2}.* check npm test$/],
  [[started('a'), worked('a'), queued('a')], /^• a {2}queued .* next to merge$/],
  [[started('a'), merging('a')], /^• a {2}merging .* check npm test$/],
  [[started('a'), merging('a'), merged('a')], /^✔ a {2}merged {2}command {4}2 s {2}c123456789$/],
  [
    [started('a'), reopened('a', 'conflict')],
    /^⚠ a {2}reopened {2}command .* waits for a worker {2}conflict: CHANGELOG.md$/,
  ],
  [[started('a'), ended('a', 'checks')], /^✖ a {2}failed .* a check failed: exit 1$/],
  [[ended('a', 'dependency')], /^✖ a {2}not run {2}depends on an unmerged task: exit 1$/],
  [
    [started('a', 1, 'agent'), paid('a', 0.0123)],
    /^• a {2}running {2}agent {2} 1:02 {2}\$0\.0123 {2}make a$/,
  ],
  [
    [started('a', 1, 'agent'), paid('a', null)],
    /^• a {2}running {2}agent {2} 1:02 {2}cost unknown {2}make a$/,
  ],
]
it.each(states)('shows a task after entries %#', (drafts, row) => {
  expect(draw([...planned([makeTask('a')]), ...drafts])[2]).toMatch(row)
})

it('adds the cost of the planner and of all agents', () => {
  const drafts = [...planned([makeTask('a')]), started('a', 1, 'agent'), paid('a', 0.5), paid('plan', 0.25)]
  drafts[0] = ['build', { ...head, planner: { thread: 't', until: [] }, deadline: began + 600_000 }]
  expect(draw(drafts).at(-1)).toBe('running  1:05, 8:55 left  0 of 1 task merged  tokens 1000  $0.7500')
})

it('shows the planning before the first task', () => {
  const follower = followBuildBoard()
  expect(follower.draw(look, 23, began)).toBeUndefined()
  for (const line of linesOf([['build', head]])) follower.line(line)
  expect(follower.draw(look, 23, began + 7_000)).toEqual([
    'Rename',
    `build 01JD3K8QAA  anode/build/${id}`,
    'planning  7 s',
  ])
})

it('keeps the tasks that change if the terminal is too small', () => {
  const names = Array.from({ length: 64 }, (_, i) => `task${i + 1}`)
  const drafts = [...planned(names.map((name) => makeTask(name))), started('task64')]
  const lines = draw(drafts)
  expect(lines).toHaveLength(22)
  expect(lines.join('\n')).toMatch(/• task64[\s\S]*… 47 more tasks/)
})

const odd = ['\x1b[31mred', '日本語の仕事'.repeat(8), 'a\u202eb', 'x'.repeat(300)]
it.each([20, 40, 79, 200])('is never wider than %i cells, nor more than text', (width) => {
  const tasks = odd.map((text, i) => makeTask(`t${i}-${'y'.repeat(60)}`, { run: undefined, do: text }))
  const drafts = [...planned(tasks, odd.slice()), ...tasks.map(({ id: task }) => started(task))]
  for (const line of draw([...drafts, ended(tasks[3]?.id ?? '', 'work')], { width })) {
    expect(countCells(line)).toBeLessThanOrEqual(width)
    expect(line).not.toMatch(/[\0-\x1f\x7f-\x9f\u202e]/)
  }
})
