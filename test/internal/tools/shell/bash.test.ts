// Results of commands: output in order, exit code, limits, leftovers.
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { collapseRepeats, createRepeatCollapser } from '../../../../internal/base/text/repeat-collapser.ts'
import { createRunner, type ProcessRunner } from '../../../../internal/process/run-command.ts'
import { bash } from '../../../../internal/tools/shell/bash.ts'
import { type CtxChanges, call, changeCtx, ctxWith } from '../../../support/ctx.ts'
import { canaryIn, plantLazyFetch, plantPrograms } from '../../../support/hostile-git.ts'
import { git, repoWith } from '../../../support/repo.ts'

let dir: string
let runner: ProcessRunner
let ctx: ReturnType<typeof ctxWith>

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'anode-bash-')))
  mkdirSync(join(dir, 'sub'))
  runner = createRunner({ dataDir: join(dir, 'data'), env: process.env })
  ctx = ctxWith(
    { processes: { run: runner.run } },
    { cwd: dir, env: { PATH: process.env.PATH, MY_TOKEN: 'secret', NODE_ENV: 'seen' } },
  )
})
afterEach(async () => {
  await runner.close()
  rmSync(dir, { recursive: true, force: true })
})

const run = (args: Record<string, unknown>, over: CtxChanges = {}, caller?: 'adapter') =>
  call(bash, args, changeCtx(ctx, over), caller)

test('shows the output of both streams in order, with the exit code', async () => {
  const result = await run({ command: 'echo one; sleep 0.05; echo two >&2; sleep 0.05; echo three' })
  expect(result.text).toBe('one\ntwo\nthree\n[exit 0]')
  expect(result.data).toMatchObject({
    exit: 0,
    stdout_bytes: 10,
    stderr_bytes: 4,
    leaked: 0,
    timed_out: false,
  })
  expect(result.failed).toBeUndefined()
})

test('a failing command is a failed result with its output', async () => {
  const result = await run({ command: 'echo no; exit 3' })
  expect(result.failed?.code).toBe('command_failed')
  expect(result.text).toBe('no\n[exit 3]')
})

test('shows the name of a signal', async () => {
  const result = await run({ command: 'kill -KILL $$' })
  expect(result.data).toMatchObject({ exit: null, signal: 'SIGKILL' })
})

test('cwd is a directory inside the workspace', async () => {
  expect((await run({ command: 'pwd', cwd: 'sub' })).text).toBe(`${join(dir, 'sub')}\n[exit 0]`)
  expect((await run({ command: 'pwd', cwd: 'gone' })).failed?.code).toBe('not_found')
  expect((await run({ command: 'pwd', cwd: '../..' })).failed?.code).toBe('outside_workspace')
})

test('a timeout ends all processes and is reported', async () => {
  const result = await run({ command: 'echo start; (sleep 60 &); sleep 60', timeout_ms: 2_000 })
  expect(result.failed?.code).toBe('timeout')
  expect(result.data).toMatchObject({ timed_out: true })
  expect(result.text).toContain('start\n')
  expect(result.text).toMatch(
    /\[the command timed out after 2000 ms .*; give a larger `timeout_ms` \(.*\), or `background: true`\]$/,
  )
})

test('a background process neither delays the result nor stays', async () => {
  const result = await run({ command: 'sleep 60 & echo done', timeout_ms: 30_000 })
  expect(result.text).toContain('done')
  expect(result.data).toMatchObject({ exit: 0, timed_out: false, leaked: 1 })
})

test('a command gets neither input nor secrets', async () => {
  expect((await run({ command: 'cat; echo "[$MY_TOKEN][$NODE_ENV][$TERM]"' })).text).toBe(
    '[][seen][dumb]\n[exit 0]',
  )
})

test('replaces and reports bytes that are not text', async () => {
  const result = await run({ command: String.raw`printf 'a\xffb\n'` })
  expect(result.data).toMatchObject({ invalid_utf8: true })
  expect(result.text).toContain('a\uFFFDb')
})

test('a cancelled call ends as cancelled', async () => {
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 200)
  expect((await run({ command: 'sleep 60' }, { signal: stop.signal })).failed?.code).toBe('cancelled')
})

const repeats: [string, string][] = [
  ['', ''],
  ['a', 'a'],
  ['a\n', 'a\n'],
  ['a\na\na', 'a\na\na'],
  ['a\na\na\na', 'a\n… the same line 3 more times …'],
  ['a\na\na\na\nb', 'a\n… the same line 3 more times …\nb'],
  ['a\na\na\na\n', 'a\n… the same line 3 more times …\n'],
  ['x\na\na\na\nb\nb\nb\nb\nb\ny\n', 'x\na\na\na\nb\n… the same line 4 more times …\ny\n'],
  ['\n\n\n\n\n', '\n… the same line 4 more times …\n'],
]

test.each(repeats)('collapse %j', (text, expected) => expect(collapseRepeats(text)).toBe(expected))

test('collapses repeated lines in pieces as in one text', () => {
  for (const [text, expected] of repeats) {
    for (let size = 1; size <= text.length; size++) {
      const lines = createRepeatCollapser()
      let out = ''
      for (let at = 0; at < text.length; at += size) out += lines.push(text.slice(at, at + size))
      expect(out + lines.finish(), `${JSON.stringify(text)} by ${size}`).toBe(expected)
    }
  }
})

test('shows the full long output, and shortens many equal lines', async () => {
  const long = await run({ command: 'seq 400000' })
  expect(long.text.split('\n')).toHaveLength(400_001)
  expect(long.data).toMatchObject({ cut: false })
  const flood = await run({ command: 'echo first; yes again | head -c 6000000; echo last' })
  expect(flood.text).toBe(
    'first\nagain\n… the same line 999999 more times …\nlast\n[exit 0, in the pipe 141 0]',
  )
  expect(readdirSync(join(dir, 'data', 'run'), { recursive: true }).map(String)).not.toContainEqual(
    expect.stringContaining('output'),
  )
})

/** One command for every git command that is classified as reading, in a few usual forms. */
const readingGit = [
  ...[
    'git status',
    'git status --short --branch',
    'git --no-pager log --oneline -5',
    'git log -p',
    'git log --format=%G? -3',
    'git diff',
  ],
  ...[
    'git diff HEAD',
    'git diff --stat',
    'git diff --cached',
    'git show',
    'git show HEAD:a.txt',
    'git blame a.txt',
    'git describe --always --dirty',
  ],
  ...[
    'git ls-files -m',
    'git ls-files -o --exclude-standard',
    'git ls-tree -r HEAD',
    'git cat-file -p HEAD',
    'git grep -n one',
    'git branch -a -vv',
  ],
  ...[
    'git tag -n',
    'git rev-parse HEAD',
    'git rev-list --all',
    'git shortlog -sn HEAD',
    'git stash list',
    'git worktree list',
    'git for-each-ref',
  ],
  ...[
    'git diff-files -p',
    'git diff-index -p HEAD',
    'git reflog',
    'git show-ref',
    'git count-objects -v',
    'git check-ignore -v a.txt',
    'git cherry main',
  ],
  ...['cd sub && git status', 'cd sub && git diff; git log -p'],
]

test.each(['programs', 'a missing object'])(
  'git that reads without approval starts nothing in a repository with %s',
  async (kind) => {
    const repo = repoWith({ 'a.txt': 'one\n', 'sub/b.txt': 'two\n' })
    const canary = canaryIn(join(dir, 'canary'))
    for (const name of ['a.txt', 'sub/b.txt']) writeFileSync(join(repo, name), 'changed\n')
    if (kind === 'programs') plantPrograms(repo, canary)
    else plantLazyFetch(repo, canary, 'a.txt')
    // a nested repository, with other programs in its settings
    const inner = join(repo, 'sub')
    git(inner, 'init', '-q')
    git(inner, 'add', 'b.txt')
    git(inner, 'commit', '-qm', 'x')
    writeFileSync(join(inner, 'b.txt'), 'again\n')
    git(inner, 'config', '--file', '.git/config', 'filter.other.clean', `${canary.program} inner`)
    writeFileSync(join(inner, '.gitattributes'), '* filter=other\n')
    for (const command of readingGit) {
      await run({ command }, { cwd: repo })
      expect(canary.fired(), command).toBe('')
    }
    // A command that does more than reading runs as approved. Then the programs do start.
    if (kind === 'programs') {
      await run({ command: 'git status; exit 0; touch x' }, { cwd: repo })
      expect(canary.fired()).not.toBe('')
    }
    rmSync(repo, { recursive: true, force: true })
  },
)

test('environment variables do not redirect git commands that read', async () => {
  const repo = repoWith({ 'a.txt': 'one\n' })
  const env = { PATH: process.env.PATH, GIT_DIR: '/nowhere', CDPATH: repo }
  const result = await run({ command: 'git ls-files' }, { cwd: repo, env })
  expect(result.text).toBe('a.txt\n[exit 0]')
  rmSync(repo, { recursive: true, force: true })
})

test('an adapter may pass standard input', async () => {
  const result = await run({ command: 'cat; echo', stdin: 'given\n日本' }, {}, 'adapter')
  expect(result.text).toBe('given\n日本\n[exit 0]')
  await expect(run({ command: 'cat', stdin: 'x' })).rejects.toThrow(/unknown parameter stdin/)
})

test('with strict a command ends at the first failure, also in a pipe', async () => {
  const strict = await run({ command: 'false | cat; echo after', strict: true }, {}, 'adapter')
  expect(strict.text).toBe('[exit 1]')
  expect((await run({ command: 'false | cat; echo after' })).text).toBe('after\n[exit 0, in the pipe 1 0]')
})

test('an adapter can get both streams separately, without explanations', async () => {
  const result = await run({ command: 'echo a; echo b >&2; exit 2', streams: 'apart' }, {}, 'adapter')
  expect(result.text).toBe('stdout:\na\nstderr:\nb\n[exit 2]')
  expect(result.raw).toMatchObject({ stdout: 'a', stderr: 'b' })
  expect((await run({ command: 'echo a; echo b >&2' })).raw?.output).toBe('a\nb')
})
