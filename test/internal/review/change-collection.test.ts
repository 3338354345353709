// The collection of changes: the included files, size limits, and repository settings that
// must start nothing.
import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PermissionRule } from '../../../internal/policy/rules/permission-rule.ts'
import { collectWorkingTreeChanges, maxShown } from '../../../internal/review/change-collection.ts'
import { ctxWith } from '../../support/ctx.ts'
import { git, repoWith } from '../../support/repo.ts'
import { run } from '../../support/run.ts'
import { plant, scratch, scratchWith } from '../../support/scratch.ts'

const look = (
  cwd: string,
  {
    rules = [],
    ...over
  }: { base?: string; files?: string[]; trusted?: boolean; rules?: PermissionRule[] } = {},
) =>
  collectWorkingTreeChanges({
    run,
    cwd,
    policy: { ...ctxWith({}, { cwd }).policy, rules },
    trusted: false,
    signal: new AbortController().signal,
    ...over,
  })

test('lists staged, unstaged, removed and new files, each with its state', async () => {
  const dir = repoWith({ 'a.ts': 'one\n', 'b.ts': 'two\n', 'c.ts': 'three\n', 'd.ts': 'same\n' })
  plant(dir, { 'a.ts': 'ONE\n', 'b.ts': 'TWO\n', 'sub/new.ts': 'fresh\n' })
  git(dir, 'add', 'b.ts')
  rmSync(join(dir, 'c.ts'))
  const changes = await look(dir)
  expect(changes?.files).toEqual(['a.ts', 'b.ts', 'c.ts', 'sub/new.ts'])
  expect(changes?.status).toEqual([
    'M a.ts (unstaged)',
    'D c.ts (unstaged)',
    'M b.ts (staged)',
    '? sub/new.ts (untracked)',
  ])
  for (const line of ['+ONE', '+TWO', '-three', 'fresh']) expect(changes?.text).toContain(`\n${line}\n`)
  expect(changes?.notes).toEqual([])
})

test('takes no content for the heading of a file', async () => {
  const likeHeading = 'x\rdiff --git a/b.ts b/b.ts'
  const dir = repoWith({ 'a.ts': 'one\n' })
  plant(dir, { 'a.ts': `${likeHeading}\n-- a/b.ts\n++ b/b.ts\n` })
  const changes = await look(dir)
  expect(changes?.files).toEqual(['a.ts'])
  expect(changes?.text).toContain(`\n+${likeHeading}\n+-- a/b.ts\n+++ b/b.ts\n`)
})

test('distinguishes an unchanged repository and a missing one', async () => {
  const same = repoWith({ 'a.ts': 'one\n' })
  expect(await look(same)).toEqual({ files: [], status: [], text: '', notes: [] })
  expect(await look(scratch())).toBeUndefined()
})

test('lists staged files in a repository without a commit', async () => {
  const dir = scratchWith({ 'a.ts': 'one\n' })
  git(dir, 'init', '-q')
  git(dir, 'add', 'a.ts')
  expect((await look(dir))?.status).toEqual(['A a.ts (staged)'])
})

test('includes the commits of a branch since it left the base, not later commits of the base', async () => {
  const dir = repoWith({ 'a.ts': 'one\n', 'b.ts': 'two\n' })
  git(dir, 'checkout', '-q', '-b', 'work')
  plant(dir, { 'a.ts': 'mine\n' })
  git(dir, 'commit', '-qam', 'mine')
  git(dir, 'checkout', '-q', 'main')
  plant(dir, { 'b.ts': 'theirs\n' })
  git(dir, 'commit', '-qam', 'theirs')
  git(dir, 'checkout', '-q', 'work')
  const changes = await look(dir, { base: 'main' })
  expect(changes?.status).toEqual(['M a.ts (since main)'])
  expect(changes?.text).not.toContain('theirs')
})

test.each(['nowhere', '--output=/tmp/x', '', 'a\0b'])('rejects base %j', async (base) => {
  await expect(look(repoWith({ 'a.ts': '' }), { base })).rejects.toMatchObject({ name: 'UserError' })
})

test('a workspace below the root of the repository sees only its files', async () => {
  const dir = repoWith({ 'top.ts': '1\n', 'pkg/in.ts': '1\n' })
  plant(dir, { 'top.ts': '2\n', 'pkg/in.ts': '2\n', 'pkg/new.ts': 'n\n', 'other.ts': 'o\n' })
  expect((await look(join(dir, 'pkg')))?.files).toEqual(['in.ts', 'new.ts'])
})

test('includes only the requested files, and rejects a file outside', async () => {
  const dir = repoWith({ 'a.ts': '1\n', 'b.ts': '1\n' })
  plant(dir, { 'a.ts': '2\n', 'b.ts': '2\n' })
  expect((await look(dir, { files: ['./b.ts'] }))?.files).toEqual(['b.ts'])
  await expect(look(dir, { files: ['../x'] })).rejects.toMatchObject({ name: 'UserError' })
})

test('escapes names that git or a reader could misread', async () => {
  const dir = repoWith({ 'a.ts': '1\n' })
  const names = ['-rf', ':(top)x', 'new\nline', 'tab\tname', '[a]*.ts', 'ü ä.ts', 'diff --git a b', '"q"']
  for (const name of names) writeFileSync(join(dir, name), `text of ${name.length}\n`)
  const changes = await look(dir)
  expect(changes?.files).toEqual([...names].sort())
  expect(changes?.status.every((line) => !line.includes('\n'))).toBe(true)
  git(dir, 'add', '-A')
  const staged = await look(dir)
  expect(staged?.files).toEqual([...names].sort())
  expect(staged?.text.match(/\n\+text of /g)).toHaveLength(names.length)
})

test('skips and lists secrets, links and binary files', async () => {
  const dir = repoWith({ '.env': 'KEY=old\n', 'p.bin': Buffer.from([0, 1]) })
  const secret = scratchWith({ 'far.txt': 'FAR\n' })
  plant(dir, {
    '.env': 'KEY=hunter2\n',
    'sub/.netrc': 'pw\n',
    'x.bin': Buffer.from([1, 0, 2]),
    'p.bin': Buffer.from([0, 2]),
  })
  symlinkSync(join(secret, 'far.txt'), join(dir, 'link.txt'))
  const changes = await look(dir)
  expect(changes?.files).toEqual(['link.txt', 'p.bin', 'x.bin'])
  expect(changes?.text).not.toMatch(/hunter2|FAR|pw/)
  expect(changes?.notes.sort()).toEqual([
    '.env may hold secrets and was left out',
    'link.txt was left out: outside_workspace',
    'sub/.netrc may hold secrets and was left out',
    'x.bin is binary and was left out',
  ])
})

test('does not show files that a rule denies to read', async () => {
  const dir = repoWith({ 'own/a.txt': 'old\n', 'b.txt': 'b\n' })
  plant(dir, { 'own/a.txt': 'PRIVATE\n', 'own/new.txt': 'PRIVATE\n', 'b.txt': 'B\n' })
  const changes = await look(dir, { rules: [{ tool: 'read', action: 'deny', path: 'own/**' }] })
  expect(changes?.files).toEqual(['b.txt'])
  expect(changes?.text).not.toContain('PRIVATE')
  expect(changes?.notes).toEqual([
    'own/a.txt may not be read here and was left out',
    'own/new.txt may not be read here and was left out',
  ])
})

test('includes the first ten new files, 16 KiB of each', async () => {
  const dir = repoWith({})
  plant(dir, Object.fromEntries(Array.from({ length: 13 }, (_, i) => [`f${10 + i}.txt`, 'é'.repeat(9_000)])))
  const changes = await look(dir)
  expect(changes?.text.match(/^new file /gm)).toHaveLength(maxShown.untracked)
  expect(changes?.text.match(/é/g)).toHaveLength((maxShown.untracked * maxShown.untrackedBytes) / 2)
  expect(changes?.text).not.toContain('\uFFFD')
  expect(changes?.notes).toEqual(['3 more new files were not shown: f20.txt, f21.txt, f22.txt'])
})

test('cuts a diff above the limit, and the note has the file name', async () => {
  const dir = repoWith({ 'a.txt': '', 'big.txt': '', 'z.txt': '' })
  plant(dir, { 'a.txt': 'small\n', 'big.txt': 'line of text\n'.repeat(20_000), 'z.txt': 'last\n' })
  const changes = await look(dir)
  expect(changes?.text.length).toBeLessThanOrEqual(maxShown.diff)
  expect(changes?.text).toContain('+small')
  expect(changes?.notes.join()).toContain('diff --git a/big.txt b/big.txt')
})

test('starts no programs of an untrusted repository', async () => {
  const dir = repoWith({ 'a.txt': 'one\n' })
  const mark = join(scratch(), 'ran')
  const program = `sh -c 'touch "${mark}"; cat'`
  for (const [key, value] of [
    ['core.fsmonitor', program],
    ['diff.external', program],
    ['diff.evil.command', program],
    ['diff.evil.textconv', program],
    ['filter.evil.clean', program],
    ['filter.evil.process', program],
    ['filter.evil.required', 'true'],
    ['filter.A.b.clean', program],
  ] as const)
    git(dir, 'config', key, value)
  plant(dir, {
    '.gitattributes': '*.txt filter=evil diff=evil\n*.md filter=A.b\n',
    'a.txt': 'two\n',
    'b.md': 'x\n',
  })
  const changes = await look(dir)
  expect(changes?.files).toEqual(['.gitattributes', 'a.txt', 'b.md'])
  expect(changes?.text).toContain('+two')
  expect(existsSync(mark)).toBe(false)
  // in a trusted repository its filters run
  await look(dir, { trusted: true }).catch(() => undefined)
  expect(existsSync(mark)).toBe(true)
})

test('lists generated files with their line counts and does not send them unless a caller requests them', async () => {
  const lock = (version: number) =>
    Array.from({ length: 600 }, (_, i) => `part-${i}: ${version}.${i}\n`).join('')
  const before = {
    'package.json': '{"a":1}\n',
    'pnpm-lock.yaml': lock(1),
    'vendor/x/a.go': 'one\n',
    'web/bundle.js': 'a\n',
    'old/yarn.lock': lock(3),
  }
  const dir = repoWith(before)
  git(dir, 'checkout', '-q', '-b', 'up')
  plant(dir, {
    'package.json': '{"a":2}\n',
    'pnpm-lock.yaml': lock(2),
    'vendor/x/a.go': 'two\n',
    'web/bundle.js': `${'x'.repeat(6_000)}\n`,
  })
  git(dir, 'mv', 'old/yarn.lock', 'old/other.lock')
  git(dir, 'commit', '-qam', 'up')
  plant(dir, { 'Cargo.lock': 'fresh\n' })
  const changes = await look(dir, { base: 'main' })
  expect(changes?.status).toContain('M pnpm-lock.yaml (since main; lockfile, +600 -600 lines, not shown)')
  expect(changes?.status).toContain('R old/other.lock (since main; lockfile, +0 -0 lines, not shown)')
  expect(changes?.status).toContain('? Cargo.lock (untracked; lockfile, not shown)')
  expect(changes?.text).toContain('+{"a":2}')
  for (const hidden of ['part-1', 'two', 'xxxx', 'fresh']) expect(changes?.text).not.toContain(hidden)
  const notes = changes?.notes.join('\n') ?? ''
  for (const named of ['pnpm-lock.yaml', 'vendor/x/a.go', 'web/bundle.js', 'Cargo.lock'])
    expect(notes).toContain(named)
  expect((await look(dir, { base: 'main', files: ['pnpm-lock.yaml'] }))?.text).toContain('part-1:')
})

test('does not show a renamed secret as a deleted file', async () => {
  const dir = repoWith({ '.env': 'TOKEN=abc123\nA=1\nB=2\n', 'a.ts': 'one\n' })
  git(dir, 'mv', '.env', '.env.old')
  plant(dir, { 'a.ts': 'two\n' })
  const changes = await look(dir)
  expect(changes?.text).toContain('+two')
  expect(changes?.text).not.toContain('abc123')
  expect(changes?.notes.join()).toContain('.env.old may hold secrets')
})
