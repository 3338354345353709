// The history that the tool git_history shows of a real repository, and what a call cannot make git do.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gitHistory } from '../../../internal/tools/code/git_history.ts'
import { call, ctxWith } from '../../support/ctx.ts'
import { run } from '../../support/run.ts'
import { shareRows } from '../../support/sample.ts'
import { scratch } from '../../support/scratch.ts'

const dir = realpathSync(mkdtempSync(join(tmpdir(), 'anode-history-')))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const marker = join(dir, 'started')
const secret = 'TOKEN=abc123secret'
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
    cwd: dir,
    encoding: 'utf8',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' },
  })
const write = (path: string, text: string) => {
  mkdirSync(join(dir, dirname(path)), { recursive: true })
  writeFileSync(join(dir, path), text)
}
const commit = (message: string) => {
  git('add', '-A')
  git('commit', '-qm', message)
}

beforeAll(() => {
  git('init', '-qb', 'main')
  write('src/a.ts', 'one\ntwo\n')
  write('.env', `${secret}\n`)
  write('conf/id_rsa', `${secret}\n`)
  write('gone.ts', 'old\n')
  write('-n', 'a file that reads like an option\n')
  write(':(top)x', 'a file that reads like a pathspec\n')
  commit('Add the first files')
  write('src/a.ts', 'one\n2\nthree\n')
  write('.env', `${secret}x\n`)
  rmSync(join(dir, 'gone.ts'))
  commit('Change \u001b[31mtwo\u001b[0m')
  git('tag', 'v1')
  write('src/a.ts', 'one\n2\nfour\n')
  // programs that a repository can name; none may start
  for (const key of [
    'diff.external',
    'core.fsmonitor',
    'core.pager',
    'gpg.program',
    'pager.log',
    'diff.x.textconv',
  ])
    git('config', key, `touch ${marker}`)
  git('config', 'filter.x.clean', `touch ${marker}`)
  git('config', 'log.showSignature', 'true')
  write('.gitattributes', '* diff=x filter=x\n')
})

const ctx = ctxWith({ processes: { run } }, { cwd: dir })
const base = ctx.policy
const policy = { ...base, roots: { ...base.roots, workspace: dir } }
const ask = (args: Record<string, unknown>) => call(gitHistory, args, { ...ctx, policy })

it.each([
  ['log', { operation: 'log' }, /Ada: Change two\n.*Ada: Add the first files/],
  ['log of a path', { operation: 'log', path: 'gone.ts', limit: 1 }, /Change two$/],
  ['log of a limit', { operation: 'log', limit: 1 }, /^\S+ \S+ Ada: Change two$/],
  ['show', { operation: 'show', path: 'src' }, /^commit [0-9a-f]{40}\n[\s\S]*-two\n\+2\n\+three/],
  ['show of the first commit', { operation: 'show', revision: 'HEAD~1', path: 'src/a.ts' }, /\+one\n\+two/],
  ['show of a deleted file', { operation: 'show', path: 'gone.ts' }, /-old/],
  ['diff with the files', { operation: 'diff', path: 'src/a.ts' }, /-three\n\+four/],
  ['diff of two', { operation: 'diff', revision: 'HEAD~1', to: 'v1', path: 'src' }, /-two/],
  ['blame', { operation: 'blame', path: 'src/a.ts', start_line: 2, end_line: 2 }, /^\S+ \(Ada +\S+ 2\) 2$/],
  [
    'file',
    { operation: 'file', path: 'src/a.ts', revision: 'HEAD~1', start_line: 2, end_line: 2 },
    /^2\ttwo$/,
  ],
  ['a file like an option', { operation: 'blame', path: '-n' }, /reads like an option/],
  ['a file like a pathspec', { operation: 'file', path: ':(top)x' }, /reads like a pathspec/],
])('%s', async (_name, args, text) => {
  const result = await ask(args)
  expect(result.failed).toBeUndefined()
  expect(result.text).toMatch(text)
  expect(result.text).not.toContain('\u001b')
})

it('prints no secrets of a directory or a commit, and names the files', async () => {
  for (const args of [
    { operation: 'show' },
    { operation: 'show', revision: 'HEAD~1' },
    { operation: 'diff', revision: 'HEAD~1' },
  ]) {
    const { text, data } = await ask(args)
    expect(text).not.toContain(secret)
    expect(data?.omitted).toContain('.env')
    expect(text).toContain('may contain secrets: ')
  }
})

const operations = ['log', 'show', 'diff', 'blame', 'file']
const hostileRevisions = [
  ...[
    '--output=OUT',
    '-OOUT',
    '--upload-pack=touch OUT',
    '--exec=touch OUT',
    '--no-index',
    '-p',
    '--all',
    '--',
  ],
  ...['HEAD..v1', 'HEAD...v1', '^HEAD', 'HEAD v1', 'HEAD:src/a.ts', 'HEAD:.env', 'HEAD^{tree}', ':/', ''],
  ...[
    '$(touch OUT)',
    '`touch OUT`',
    '; touch OUT',
    '| touch OUT',
    'HEAD\n--output=OUT',
    'HEAD\0x',
    'x'.repeat(9_999),
  ],
  ...['nowhere', 'refs/heads/../../x', '@{-99}', '../HEAD', '/etc/passwd', ':0:.env', 'HEAD^{blob}'],
]
const hostilePaths = ['../x', '/etc/passwd', '~/.ssh/id_rsa', '.git/config', 'a\0b', 'src/../../x', '..', '']

describe.each(operations.map((operation, i) => [operation, i] as const))('%s', (operation, i) => {
  const path = 'src/a.ts'
  it.each(shareRows(hostileRevisions, i, 2))('rejects the revision %j', async (text) => {
    const out = join(dir, 'written')
    const revision = text.replace('OUT', out)
    const outcomes = operation === 'diff' ? [{ revision }, { to: revision }] : [{ revision }]
    for (const args of outcomes) {
      const result = await ask({ operation, path, ...args }).catch((error: Error) => ({
        failed: { code: 'bad_args', message: error.message },
        text: error.message,
      }))
      expect(result.failed?.code).toBe('bad_args')
      expect(result.text).not.toContain(secret)
    }
    expect(existsSync(out)).toBe(false)
  })

  it.each(shareRows(hostilePaths, i, 2))('shows nothing of the path %j', async (named) => {
    const result = await ask({ operation, path: named }).catch((error: Error) => ({
      failed: error,
      text: '',
    }))
    if (!result.failed) expect(result.text).toMatch(/^No (commit|differences)|^commit /)
    expect(result.text).not.toMatch(/root:|repositoryformatversion|PRIVATE KEY/)
  })
})

it('starts no program that the repository names', () => {
  expect(existsSync(marker)).toBe(false)
})

it('the error shows no contents of a file that the repository settings refer to', async () => {
  git('config', 'blame.ignoreRevsFile', '/etc/passwd')
  const { text, failed } = await ask({ operation: 'blame', path: 'src/a.ts' })
  git('config', '--unset', 'blame.ignoreRevsFile')
  expect(failed?.code).toBe('command_failed')
  expect(text).toContain('blame.ignoreRevsFile')
  expect(text).not.toContain('root:')
})

it('reports that it is outside of a repository', async () => {
  const elsewhere = scratch()
  const roots = { ...base.roots, workspace: elsewhere }
  const result = await call(
    gitHistory,
    { operation: 'log' },
    { ...ctx, cwd: elsewhere, policy: { ...base, roots } },
  )
  expect(result.failed?.code).toBe('not_found')
})
