// Everyday git lines and commits in linked worktrees, through the built program, with and without a sandbox.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { canaryIn, plantPrograms } from '../support/hostile-git.ts'
import { git } from '../support/repo.ts'
import { runCalls } from '../support/scripted-calls.ts'

vi.setConfig({ testTimeout: 120_000 })

let at: World
beforeEach(() => {
  at = world()
  at.put('../.gitconfig', '[user]\n\tname = A\n\temail = a@example.org\n[init]\n\tdefaultBranch = main\n')
  at.put('a.txt', 'one\n')
  at.put('x.patch', '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n')
  git(at.dir, 'init', '-q', '-b', 'main')
  git(at.dir, 'remote', 'add', 'origin', 'https://git.example.org/x.git')
  git(at.dir, 'add', '-A')
  git(at.dir, 'commit', '-q', '-m', 'first')
})
afterEach(() => at.remove())

/** Lines that only read, with what their output contains. */
const reading: Readonly<Record<string, string>> = {
  'git status --short': '',
  'git log --oneline': 'first',
  'git diff': '',
  'git show --stat HEAD': 'a.txt',
  'git branch': 'main',
  'git remote -v': 'git.example.org',
  'git config --get user.name': 'A',
  'git fsck': '',
  'git apply --check x.patch': '',
  'git stash list': '',
  'git tag': '',
  'git ls-files': 'a.txt',
  'git rev-parse HEAD': '',
  'git blame a.txt': 'one',
  'git archive HEAD | wc -c': '0',
  'git cat-file -p HEAD': 'first',
  'git describe --always': '',
  'git shortlog -sn HEAD': 'A',
  'git reflog': 'first',
  'git grep one': 'a.txt',
}

/** Lines that need approval in mode auto, with what the reason says. */
const asking: Readonly<Record<string, RegExp>> = {
  'git stash': /stash/,
  'git stash pop': /stash/,
  'git checkout -b other': /branch/,
  'git checkout -- a.txt': /working tree|changes/,
  'git restore --staged a.txt': /index|stag/,
  'git add a.txt': /index/,
  'git commit -m x': /commit|history/,
  'git push': /server|remote|push/,
  'git fetch': /server|remote|fetch/,
  'git reset --hard': /working tree|changes|reset|history/,
  'git clean -fd': /deletes files/,
  'git rebase main': /history/,
  'git branch -D main': /branch/,
  'git tag v1': /tag/,
  'git merge main': /history|merge|commit/,
}

for (const sandbox of ['auto', 'off']) {
  test(`in mode auto, reading lines run and the others ask with their effect: --sandbox ${sandbox}`, async () => {
    const lines = [...Object.keys(reading), ...Object.keys(asking)]
    const calls = lines.map((command) => ({ name: 'bash', args: { command } }))
    await at.anode(['trust'])
    const { results } = await runCalls(at, calls, ['--approval', 'auto', '--sandbox', sandbox])
    const wrong: string[] = []
    for (const [i, line] of lines.entries()) {
      const { ok, text = '', asked } = results[i] as (typeof results)[number]
      const reason = asking[line]
      if (
        reason ? !asked?.some((why) => reason.test(why)) : asked || !ok || !text.includes(reading[line] ?? '')
      )
        wrong.push(`${line}: ${asked?.join(' | ') ?? text}`)
    }
    expect(wrong).toEqual([])
  })
}

test('no reading line starts a program that the repository names', async () => {
  const canary = canaryIn(join(at.dir, '..', 'canary'))
  plantPrograms(at.dir, canary)
  const calls = Object.keys(reading).map((command) => ({ name: 'bash', args: { command } }))
  await runCalls(at, calls, ['--approval', 'auto', '--sandbox', 'off'])
  expect(canary.fired()).toBe('')
})

const commit = (name: string) => [
  ...['tools', 'use', 'bash', '--allow-non-read', '--arg', `command=git commit --allow-empty -m ${name}`],
]
const subject = (dir: string) =>
  execFileSync('git', ['log', '-1', '--format=%s'], { cwd: dir, encoding: 'utf8' })

test.each([
  ['beside the repository', '../wt'],
  ['in the repository', 'wt'],
])('a worktree %s can commit', async (_, path) => {
  git(at.dir, 'worktree', 'add', '-q', path)
  const dir = join(at.dir, path)
  for (const sandbox of ['auto', 'off']) {
    const { code, err } = await at.anode([...commit(sandbox), '-C', dir, '--sandbox', sandbox])
    expect([err, code, subject(dir)]).toEqual(['', 0, `${sandbox}\n`])
  }
  git(at.dir, 'worktree', 'remove', '--force', path)
})

test('a worktree that Anode made can commit, and the rest of its directories stays closed', async () => {
  at.put('../calls.jsonl', `${JSON.stringify({ text: 'done' })}\n`)
  const words = [
    'runs',
    'start',
    'go',
    '--worktree',
    '--model',
    `script:${join(at.dir, '../calls.jsonl')}`,
    '--json',
  ]
  const begun = await at.anode(words)
  expect([begun.err, begun.code]).toEqual([expect.any(String), 0])
  const { path: dir } = JSON.parse(begun.out) as { path: string }
  const list = async () => JSON.parse((await at.anode(['runs', 'list', '--json'])).out)[0]?.state
  await expect.poll(list, { timeout: 30_000, interval: 200 }).toBe('ended')
  expect(dir.startsWith(at.data)).toBe(true)
  for (const sandbox of ['auto', 'off']) {
    const { code, err } = await at.anode([...commit(sandbox), '-C', dir, '--sandbox', sandbox])
    expect([err, code, subject(dir)]).toEqual(['', 0, `${sandbox}\n`])
  }
  const inside = (command: string) => [
    '-C',
    dir,
    'tools',
    'use',
    'bash',
    '--allow-non-read',
    '--arg',
    `command=${command}`,
  ]
  const { out } = await at.anode(
    inside(`ls ${at.data} ${at.data}/run; cat ${at.data}/*.json ${at.data}/*.db*`),
  )
  expect(out).not.toMatch(/sandbox\.json|anode\.db|SQLite/)
  const read = await at.anode([
    '-C',
    dir,
    'tools',
    'use',
    'read',
    '--arg',
    `path=${join(at.data, 'sandbox.json')}`,
  ])
  expect(read.code).not.toBe(0)
})
