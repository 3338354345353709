// `anode build` on real repositories: parallel tasks, conflicts, refusals, and what follows the end.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, test } from 'vitest'
import type { World } from '../support/anode.ts'
import {
  buildWorld,
  type PlannedTask,
  planText,
  readCheckout,
  readStatus,
  renameTask,
  runBuild,
} from '../support/build.ts'
import { git } from '../support/repo.ts'

const open: World[] = []
afterEach(() => {
  for (const w of open.splice(0)) w.remove()
})
function begin(...[modules, files]: Parameters<typeof buildWorld>): World {
  const w = buildWorld(modules, files)
  open.push(w)
  return w
}

const leftWorktrees = (w: World) => readdirSync(join(w.data, 'builds'))
const subjects = (w: World, branch: string) =>
  git(w.dir, 'log', '--format=%s', `main..${branch}`).trimEnd().split('\n')

const eight = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

it('merges eight tasks, two pairs of them in conflict, and leaves the checkout as it was', async () => {
  const w = begin(eight)
  w.put('src/a/index.js', 'not committed\n')
  w.put('untracked.txt', 'mine\n')
  const before = readCheckout(w.dir)
  const tasks = eight.map((id) => renameTask(id, {}, id === 'e' || id === 'f' ? `- ${id}` : ''))
  // b has the files of a in its scope, so that it starts after a
  const overlapping = renameTask('b', {
    run: "sed -i 's/newName/betterName/' src/a/index.js && node codemod.js src/b",
    scope: ['src/a/**', 'src/b/**'],
  })
  tasks.splice(1, 1, overlapping)
  const { code, err, build } = await runBuild(w, tasks, ['--workers', '4'])
  expect(code, err).toBe(0)
  expect(build).toMatchObject({ end: 'done', status: 'ended', proof: 'proven', repaid_steps: 0, queue: [] })
  expect(build?.tasks.map(({ state }) => state)).toEqual(eight.map(() => 'merged'))
  const branch = build?.branch ?? ''
  expect(subjects(w, branch)).toHaveLength(8)
  expect(git(w.dir, 'show', `${branch}:src/a/index.js`)).toContain('betterName')
  const changes = git(w.dir, 'show', `${branch}:CHANGELOG.md`)
  expect(changes).toContain('- e\n')
  expect(changes).toContain('- f\n')
  expect(git(w.dir, 'log', '-1', '--format=%an %(trailers:key=Anode-Task,valueonly)', branch)).toContain(
    build?.id,
  )
  expect(readCheckout(w.dir)).toEqual(before)
  expect(git(w.dir, 'worktree', 'list').trimEnd().split('\n')).toHaveLength(1)
  expect(leftWorktrees(w)).toEqual([])
})

it('merges eight tasks that all change one shared file, in two attempts each', async () => {
  const w = begin(eight)
  const tasks = eight.map((id) => renameTask(id, {}, `- ${id}`))
  const { code, err, build } = await runBuild(w, tasks, ['--workers', '4', '--attempts', '2'])
  expect(code, err).toBe(0)
  expect(build?.tasks.map(({ state }) => state)).toEqual(eight.map(() => 'merged'))
  const lines = git(w.dir, 'show', `${build?.branch}:CHANGELOG.md`).match(/^- \w$/gm)
  expect(lines?.sort()).toEqual(eight.map((id) => `- ${id}`))
})

it('ends with 1 if nothing merges, does not run what depends on it, and tries a task again on request', async () => {
  const w = begin(['a', 'b'])
  const blocked = renameTask('a', { run: 'test -e node_modules && node codemod.js src/a' })
  const { code, build } = await runBuild(w, [blocked, renameTask('b', { after: ['a'] })], ['--attempts', '1'])
  expect(code).toBe(1)
  expect(build?.tasks.map(({ state, why }) => [state, why])).toEqual([
    ['failed', 'work'],
    ['not_run', 'dependency'],
  ])
  const again = await w.anode(['build', 'retry', 'last', 'a', '--json'])
  expect(again.code).toBe(1)
  expect((await readStatus(w)).tasks[0]).toMatchObject({ state: 'failed', attempt: 2 })
  expect((await w.anode(['build', 'retry', 'last', 'x'])).err).toContain('has no task "x"')
})

it('prepares worktrees with carried files and a setup, and is not proven without a check', async () => {
  const w = begin(['a'])
  w.put('node_modules/tool/run.js', 'require("node:fs").appendFileSync("src/a/index.js", "// tool\\n")\n')
  const task = renameTask('a', { run: 'test -e node_modules/ready && node node_modules/tool/run.js' })
  const more = [
    '--carry',
    'node_modules',
    '--setup',
    'touch node_modules/ready',
    '--no-proof',
    '--into',
    'mine',
  ]
  const { code, build, err } = await runBuild(w, [task], more, { until: [] })
  expect(code, err).toBe(0)
  expect(build).toMatchObject({ branch: 'mine', proof: 'not proven' })
  expect(git(w.dir, 'show', 'mine:src/a/index.js')).toContain('// tool')
  expect(existsSync(join(w.dir, 'node_modules/ready'))).toBe(false)
  expect((await w.anode(['build', 'status'])).out).toContain('branch  mine  not proven')
})

it('lists, shows, reports, merges and drops a build', async () => {
  const w = begin(['a', 'b'])
  const { build } = await runBuild(
    w,
    [renameTask('a'), renameTask('b', { run: 'exit 1' })],
    ['--attempts', '1'],
  )
  const id = build?.id ?? ''
  expect(JSON.parse((await w.anode(['build', 'list', '--json'])).out)).toMatchObject([{ id, end: 'partial' }])
  expect((await w.anode(['build', 'list'])).out).toContain(`${id}`)
  expect((await w.anode(['study', 'list'])).out + (await w.anode(['study', 'list'])).err).toContain(
    'No studies',
  )
  expect((await w.anode(['build', 'show', 'last', 'a'])).out).toContain('+const newName')
  const pr = (await w.anode(['build', 'report', 'last', '--format', 'pr'])).out
  expect(pr.split('\n')[0]).toBe('Rename')
  expect(pr).toContain('## Not merged')
  expect(pr).toContain('b: failed (its worker failed)')
  // the proof of the branch, and that of the commit
  const check = '- Check `node test/all.test.js`: exit 0\n'
  expect(pr).toContain(`Checks: proven.\n\n${check}`)
  expect(pr).toMatch(
    /^- a \([0-9a-f]{10}\): src\/a\/index\.js\n {2}- Check `node test\/all\.test\.js`: exit 0$/m,
  )
  expect((await w.anode(['build', 'report'])).out).toContain(`${check}\n## Merged`)
  expect((await w.anode(['build', 'watch'])).out).toContain('a  merged')
  const refused = await w.anode(['build', 'drop', id])
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--force')])
  w.put('src/b/index.js', 'changed\n')
  expect((await w.anode(['build', 'merge'])).err).toContain('not committed')
  git(w.dir, 'checkout', '-q', '--', '.')
  expect((await w.anode(['build', 'merge'])).code).toBe(0)
  expect(readFileSync(join(w.dir, 'src/a/index.js'), 'utf8')).toContain('newName')
  expect((await w.anode(['build', 'drop', 'last'])).code).toBe(0)
  expect(git(w.dir, 'branch', '--list', 'anode/*')).toBe('')
  expect(JSON.parse((await w.anode(['build', 'list', '--json'])).out)).toEqual([])
})

describe('a build does not start', () => {
  const plan = (...tasks: PlannedTask[]) => planText(tasks, { until: [] })
  const own = { until: ['node test/all.test.js'] }
  const refused: [title: string, text: string, reason: RegExp, words?: string[]][] = [
    ['without a check', plan(renameTask('a')), /plan\.json:1: task "a" has no check/],
    [
      'with a scope that matches nothing',
      plan(renameTask('a', { ...own, scope: ['lib/**'] })),
      /plan\.json:1: scope "lib/,
    ],
    [
      'with an unknown program',
      plan(renameTask('a', { until: ['nosuchprogram x'] })),
      /plan\.json:1: the check "nosuch/,
    ],
    [
      'with an unknown script',
      plan(renameTask('a', { until: ['npm run nothing'] })),
      /the check "npm run nothing"/,
    ],
    [
      'with an unknown worker',
      plan(renameTask('a', { ...own, worker: 'acp:none' })),
      /unknown worker "acp:none"/,
    ],
    ['with an existing branch', plan(renameTask('a', own)), /branch main exists/, ['--into', 'main']],
    ['with an invalid branch', plan(renameTask('a', own)), /invalid branch name/, ['--into', 'a..b']],
    [
      'with a carried file that git tracks',
      plan(renameTask('a', own)),
      /git does not ignore/,
      ['--carry', 'src'],
    ],
    ['with an invalid plan', 'tasks: [', /plan\.json:1: invalid YAML/],
  ]
  test.each(refused)('%s', async (_, text, reason, words = []) => {
    const w = begin(['a'])
    w.put('../plan.json', text)
    const done = await w.anode(['build', '--plan', '../plan.json', ...words])
    expect([done.code, done.err]).toEqual([2, expect.stringMatching(reason)])
    expect(JSON.parse((await w.anode(['build', 'list', '--json'])).out)).toEqual([])
    expect(git(w.dir, 'branch', '--list', 'anode/*')).toBe('')
  })

  it('without git, without a commit, and during a merge', async () => {
    const w = begin(['a'])
    const attempt = () => runBuild(w, [renameTask('a')])
    const tip = git(w.dir, 'rev-parse', 'HEAD')
    w.put('.git/MERGE_HEAD', tip)
    expect(await attempt()).toMatchObject({ code: 2, err: expect.stringContaining('a merge is in progress') })
    rmSync(join(w.dir, '.git'), { recursive: true })
    expect(await attempt()).toMatchObject({ code: 2, err: expect.stringContaining('not a git repository') })
    git(w.dir, 'init', '-q')
    expect(await attempt()).toMatchObject({ code: 2, err: expect.stringContaining('no commit yet') })
  })
})
