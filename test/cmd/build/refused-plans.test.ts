// Plans and repositories with which no build starts: exit 2, the line and the reason, and nothing is created.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildWorld, readCheckout } from '../../support/build.ts'
import { git } from '../../support/repo.ts'

const until = 'until: ["node test/all.test.js"]\n'
const task = (id: string, more = '', scope = `src/${id}/**`) =>
  `  - id: ${id}\n    run: node codemod.js src/${id}\n    scope: ["${scope}"]\n${more}`
const plan = (...tasks: string[]) => `${until}tasks:\n${tasks.join('')}`

/** A mistake in a plan: its text, the line that the message names, and the reason. */
const mistakes: [title: string, text: string, line: number, reason: RegExp][] = [
  ['a cycle', plan(task('a', '    after: [b]\n'), task('b', '    after: [a]\n')), 6, /in a cycle/],
  ['a task after itself', plan(task('a', '    after: [a]\n')), 6, /in a cycle/],
  ['a task after an unknown one', plan(task('a', '    after: [x]\n')), 6, /unknown task "x"/],
  ['an unknown key of the plan', `${plan(task('a'))}unti: x\n`, 6, /unknown key "unti".*\n.*until/],
  ['an unknown key of a task', plan(task('a', '    scop: x\n')), 6, /unknown key "scop".*\n.*scope/],
  ['a task without scope', `${until}tasks:\n  - id: a\n    run: "true"\n`, 3, /"a" has no scope/],
  ['a task with an empty scope', `${until}tasks:\n  - {id: a, run: "true", scope: []}\n`, 3, /has no scope/],
  ['a task without a check', `tasks:\n${task('a')}`, 2, /"a" has no check/],
  [
    'a second task without a check',
    `tasks:\n${task('a', '    until: "true"\n')}${task('b')}`,
    6,
    /"b" has no check/,
  ],
  ['a scope that matches nothing', plan(task('a'), task('b', '', 'lib/**')), 8, /"lib\/\*\*".*no file/],
  ['a scope outside of the repository', plan(task('a', '', '/etc/**')), 5, /not a path below the top/],
  ['a task that is in it twice', plan(task('a'), task('b'), task('a')), 9, /"a" is in the plan twice/],
  ['a task without work', `${until}tasks:\n  - {id: a, scope: [src/a/**]}\n`, 3, /either do or run/],
  ['a task with two kinds of work', plan(task('a', '    do: x\n')), 3, /either do or run/],
  ['a task without an id', `${until}tasks:\n  - {run: "true", scope: [src/a/**]}\n`, 3, /no id/],
  ['an unknown worker', plan(task('a', '    worker: codex\n')), 6, /unknown worker "codex"/],
  ['a check that cannot start', plan(task('a', '    until: nosuch x\n')), 6, /"nosuch x" cannot start/],
  ['no tasks', `${until}tasks: []\n`, 2, /no tasks/],
  ['65 tasks', plan(...[...Array(65).keys()].map((n) => task(`t${n}`, '', 'src/a/**'))), 2, /at most 64/],
  ['invalid YAML', `${until}tasks: [\n`, 3, /invalid YAML/],
]

const w = buildWorld(['a', 'b'])
afterAll(() => w.remove())

/** Expects exit 2 with the message, and neither a worktree nor a reference nor a build. */
async function expectRefused(words: readonly string[], message: RegExp): Promise<void> {
  const before = existsSync(join(w.dir, '.git')) ? readCheckout(w.dir) : undefined
  const done = await w.anode(['build', ...words])
  expect([done.code, done.out, done.err]).toEqual([2, '', expect.stringMatching(message)])
  const folder = join(w.data, 'builds')
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
  expect(JSON.parse((await w.anode(['build', 'list', '--json'])).out)).toEqual([])
  if (!before) return
  expect(readCheckout(w.dir)).toEqual(before)
  expect(git(w.dir, 'for-each-ref', 'refs/heads/anode')).toBe('')
  expect(existsSync(join(w.dir, '.git/worktrees'))).toBe(false)
}

test.each(mistakes)('a plan with %s', async (_, text, line, reason) => {
  w.put('../plan.yaml', text)
  const message = new RegExp(`^(?:anode: |error: )?plan\\.yaml:${line}: .*${reason.source}`, 'm')
  await expectRefused(['--plan', '../plan.yaml'], message)
})

test('a Redis server for its workers', async () => {
  w.put('../plan.yaml', plan(task('a')))
  const words = ['--plan', '../plan.yaml', '--engine', 'redis://localhost:6379']
  await expectRefused(words, /workers on other machines, which do not have its commits/)
})

/** A state of the repository: what makes it, the message, and what the message says to do. */
const states: [title: string, make: () => void, message: RegExp][] = [
  [
    'a merge in progress',
    () => w.put('.git/MERGE_HEAD', git(w.dir, 'rev-parse', 'HEAD')),
    /merge is in progress[\s\S]*finish or abort it/,
  ],
  [
    'a rebase in progress',
    () => {
      rmSync(join(w.dir, '.git/MERGE_HEAD'))
      mkdirSync(join(w.dir, '.git/rebase-merge'))
    },
    /rebase is in progress[\s\S]*finish or abort it/,
  ],
  ['no git', () => rmSync(join(w.dir, '.git'), { recursive: true }), /not a git repository[\s\S]*git init/],
  ['no commit', () => git(w.dir, 'init', '-q'), /no commit yet[\s\S]*commit your files/],
]

test.each(states)('a repository with %s', async (_, make, message) => {
  make()
  w.put('../plan.yaml', plan(task('a')))
  await expectRefused(['--plan', '../plan.yaml'], message)
})
