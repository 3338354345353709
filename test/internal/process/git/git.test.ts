// Git in a repository whose configuration tries to start programs.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gitText, runHardenedGit } from '../../../../internal/process/git/git.ts'
import { repositoryGitEnvironment } from '../../../../internal/process/git/git-drivers.ts'
import { runnerIn, scratch } from '../scratch.ts'

const who = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b',
}

/**
 * Creates a repository with one commit and one change, in which every known way to start a
 * program writes `fired`.
 */
async function hostile() {
  const dir = scratch()
  const repo = join(dir, 'repo')
  const fired = join(dir, 'fired')
  mkdirSync(repo)
  // found on PATH: git starts some of these programs by a shell and some without, and the path may have blanks
  const PATH = `${dir}:${process.env.PATH}`
  const { run } = runnerIn(join(dir, 'data'), { env: { ...process.env, ...who, PATH } })
  const trap = 'set-trap'
  writeFileSync(join(dir, trap), `#!/bin/sh\necho "$0 $*" >> '${fired}'\ncat "$1" 2>/dev/null\nexit 0\n`, {
    mode: 0o755,
  })
  await gitText(run, repo, ['init', '-q', '-b', 'main'])
  writeFileSync(join(repo, '.gitattributes'), '*.txt diff=trap\n')
  writeFileSync(join(repo, 'a.txt'), 'one\n')
  await gitText(run, repo, ['add', '.'])
  await gitText(run, repo, ['commit', '-qm', 'first'])
  writeFileSync(join(repo, 'a.txt'), 'two\n')
  const hooks = join(repo, '.git', 'hooks')
  mkdirSync(hooks, { recursive: true })
  for (const hook of ['pre-commit', 'commit-msg', 'post-commit', 'post-checkout', 'post-index-change']) {
    writeFileSync(join(hooks, hook), `#!/bin/sh\n${trap} ${hook}\n`, { mode: 0o755 })
  }
  const config = `[core]
  fsmonitor = ${trap} fsmonitor
  pager = ${trap} pager
  editor = ${trap} editor
  sshCommand = ${trap} ssh
  askPass = ${trap} askpass
[diff]
  external = ${trap}
[diff "trap"]
  command = ${trap}
  textconv = ${trap}
[gpg]
  program = ${trap}
[commit]
  gpgSign = true
[log]
  showSignature = true
[credential]
  helper = !${trap}
[alias]
  status = "!${trap} alias"
`
  writeFileSync(join(repo, '.git', 'config'), `${'[core]\n  bare = false\n'}${config}`)
  return { repo, run, fired }
}

test.each([
  [['status', '--porcelain'], ' M a.txt\n'],
  [['diff'], '-one\n+two\n'],
  [['diff', '--stat', 'HEAD'], 'a.txt'],
  [['log', '-p'], '+one'],
  [['show', 'HEAD'], '+one'],
  [['diff-index', '-p', 'HEAD'], '+two'],
  [['grep', 'two'], 'a.txt:two'],
  [['ls-files', '-m'], 'a.txt'],
  [['rev-parse', '--abbrev-ref', 'HEAD'], 'main'],
  [['commit', '-qam', 'second'], ''],
  [['commit', '-qa', '--amend'], ''],
  [['checkout', '-q', '-b', 'other'], ''],
  [['worktree', 'add', '-q', '../tree', '-b', 'third'], ''],
])('git %j starts nothing of the repository’s choosing', async (args, text) => {
  const { repo, run, fired } = await hostile()
  expect(await gitText(run, repo, args)).toContain(text)
  expect(existsSync(fired)).toBe(false)
})

test('git without protection does run the trap program', async () => {
  const { repo, run, fired } = await hostile()
  await run({ file: 'git', args: ['diff'], cwd: repo })
  expect(existsSync(fired)).toBe(true)
})

test('ignores replaced objects and grafts', async () => {
  const { repo, run } = await hostile()
  const id = (await gitText(run, repo, ['rev-parse', 'HEAD:a.txt'])).trim()
  const other = (await gitText(run, repo, ['hash-object', '-w', '--stdin'], { input: 'evil\n' })).trim()
  const plain = (args: string[]) => run({ file: 'git', args, cwd: repo })
  await plain(['replace', id, other])
  expect((await plain(['cat-file', 'blob', id])).stdout.text).toBe('evil\n')
  expect(await gitText(run, repo, ['cat-file', 'blob', id])).toBe('one\n')
  const head = (await gitText(run, repo, ['rev-parse', 'HEAD'])).trim()
  await gitText(run, repo, ['commit', '-qam', 'second'])
  const second = (await gitText(run, repo, ['rev-parse', 'HEAD'])).trim()
  mkdirSync(join(repo, '.git', 'info'), { recursive: true })
  writeFileSync(join(repo, '.git', 'info', 'grafts'), `${second}\n`)
  expect((await plain(['rev-list', 'HEAD'])).stdout.text).not.toContain(head)
  expect(await gitText(run, repo, ['rev-list', 'HEAD'])).toContain(head)
})

test('git prints no warning about the protective settings', async () => {
  const { repo, run } = await hostile()
  const extraEnv = await repositoryGitEnvironment(run, repo)
  const logged = await run({ file: 'git', args: ['log', '--oneline'], cwd: repo, extraEnv })
  expect(logged.stdout.text).not.toBe('')
  expect(logged.stderr.text).toBe('')
})

test('filters run only in a repository that a user trusts', async () => {
  const { repo, run, fired } = await hostile()
  writeFileSync(join(repo, '.git', 'config'), `[core]\n  bare = false\n[filter "up"]\n  clean = tr a-z A-Z\n`)
  writeFileSync(join(repo, '.gitattributes'), '*.txt filter=up\n')
  await gitText(run, repo, ['add', 'a.txt'])
  expect(await gitText(run, repo, ['cat-file', 'blob', ':a.txt'])).toBe('two\n')
  writeFileSync(join(repo, 'a.txt'), 'three\n')
  await gitText(run, repo, ['add', 'a.txt'], { trusted: true })
  expect(await gitText(run, repo, ['cat-file', 'blob', ':a.txt'])).toBe('THREE\n')
  expect(existsSync(fired)).toBe(false)
})

test('a program that starts git passes the protection to it by environment variables', async () => {
  const { repo, run, fired } = await hostile()
  writeFileSync(join(repo, '.git', 'more'), `[filter "trap"]\n  clean = fired.sh\n`)
  writeFileSync(`${fired}.sh`, `#!/bin/sh\ntouch '${fired}'\ncat\n`, { mode: 0o755 })
  writeFileSync(
    join(repo, '.git', 'config'),
    `[include]\n  path = more\n[core]\n  fsmonitor = fired.sh\n[diff "trap"]\n  textconv = fired.sh\n`,
  )
  writeFileSync(join(repo, '.gitattributes'), '*.txt diff=trap filter=trap\n')
  const line = 'git status; git log -p; git diff --no-textconv; git diff; git branch other; git grep one'
  const child = { file: 'bash', args: ['-c', line], cwd: repo }
  const env = await repositoryGitEnvironment(run, repo)
  expect((await run({ ...child, extraEnv: env })).stdout.text).toContain('+two')
  expect(existsSync(fired)).toBe(false)
  await run(child)
  expect(existsSync(fired)).toBe(true)
})

test('every git call has a time limit', async () => {
  const { repo, run } = await hostile()
  execFileSync('mkfifo', [join(repo, '.git', 'refs', 'heads', 'pipe')])
  await expect(gitText(run, repo, ['rev-parse', 'pipe'], { timeoutMs: 500 })).rejects.toMatchObject({
    failure: { code: 'timeout', message: 'git rev-parse: took longer than 1 s' },
  })
})

test('rejects a transport that runs a command', async () => {
  const { repo, run, fired } = await hostile()
  const outcome = await runHardenedGit(run, repo, ['ls-remote', `ext::${fired}`])
  expect(outcome.exit).not.toBe(0)
  expect(outcome.stderr.text).toContain("transport 'ext' not allowed")
})

test('failures contain the message of git, in English', async () => {
  const { repo, run } = await hostile()
  expect((await runHardenedGit(run, repo, ['rev-parse', '--verify', '-q', 'nothing'])).exit).toBe(1)
  await expect(gitText(run, repo, ['show', 'nothing'])).rejects.toMatchObject({
    failure: { code: 'command_failed', message: expect.stringContaining('ambiguous argument') },
  })
  await expect(gitText(run, repo, ['log', '-p'], { keepBytes: 20 })).rejects.toMatchObject({
    failure: { code: 'too_large' },
  })
  const signal = AbortSignal.abort()
  await expect(gitText(run, repo, ['status'], { signal })).rejects.toMatchObject({
    failure: { code: 'cancelled' },
  })
})
