// What a review compares in clones as CI makes them: real clones of several depths, with and without a common commit.
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findBaseRange } from '../../../internal/review/base-range.ts'
import { collectWorkingTreeChanges } from '../../../internal/review/change-collection.ts'
import { ctxWith } from '../../support/ctx.ts'
import { git, repoWith } from '../../support/repo.ts'
import { run } from '../../support/run.ts'
import { sampleRows } from '../../support/sample.ts'
import { plant, scratch } from '../../support/scratch.ts'

const signal = new AbortController().signal
const collect = (cwd: string, base: string) =>
  collectWorkingTreeChanges({ run, cwd, policy: ctxWith({}, { cwd }).policy, trusted: false, signal, base })

const made = new Map<number, string>()

/** Returns the repository of `forked`, created once for all rows that only clone it. */
function forkedOnce(own: number): string {
  const dir = made.get(own) ?? realpathSync(mkdtempSync(join(tmpdir(), 'anode-forked-')))
  if (!made.has(own)) cpSync(forked(own), dir, { recursive: true })
  made.set(own, dir)
  return dir
}
afterAll(() => {
  for (const dir of made.values()) rmSync(dir, { recursive: true, force: true })
})

/** Creates a repository whose branch `work` has `own` commits and whose `main` has three later commits. */
function forked(own: number): string {
  const dir = repoWith({ 'a.txt': 'a\n', 'gone-later.txt': 'x\n' })
  git(dir, 'checkout', '-q', '-b', 'work')
  for (let i = 1; i <= own; i++) {
    plant(dir, { [`own-${i}.txt`]: `${i}\n` })
    git(dir, 'add', '.')
    git(dir, 'commit', '-qm', `own ${i}`)
  }
  git(dir, 'checkout', '-q', 'main')
  for (let i = 1; i <= 3; i++) {
    plant(dir, { [`foreign-${i}.txt`]: `${i}\n` })
    git(dir, 'add', '.')
    git(dir, 'commit', '-qm', `foreign ${i}`)
  }
  return dir
}

function clone(from: string, depth: number | undefined, baseDepth: number | undefined): string {
  const at = join(scratch(), 'clone')
  const shallow = (n: number | undefined) => (n === undefined ? [] : ['--depth', String(n)])
  git(from, 'clone', '-q', ...shallow(depth), '--single-branch', '-b', 'work', `file://${from}`, at)
  git(at, 'fetch', '-q', ...shallow(baseDepth), 'origin', 'main:refs/remotes/origin/main')
  return at
}

const depths = [1, 2, 3, 4, undefined]
const rows = [1, 2, 4].flatMap((own) =>
  depths.flatMap((depth) => depths.map((baseDepth) => ({ own, depth, baseDepth }))),
)

test.each(sampleRows(rows, 4))(
  'finds the base with $own commits, a clone of depth $depth, and a base of depth $baseDepth',
  async (row) => {
    const dir = clone(forkedOnce(row.own), row.depth, row.baseDepth)
    const changes = await collect(dir, 'origin/main').catch((error: Error) => error)
    if (changes instanceof Error) {
      expect(row.depth).toBe(1)
      expect(changes.message).toMatch(/no common commit .* shallow/)
      expect((changes as { hint?: string }).hint).toMatch(/fetch-depth: 0/)
      return
    }
    const shown = changes?.status.join('\n') ?? ''
    expect(shown).not.toContain('foreign')
    expect(shown).not.toMatch(/^D /m)
    expect(shown).toContain(`own-${row.own}.txt`)
    const whole = Array.from({ length: row.own }, (_, i) => `A own-${i + 1}.txt (since origin/main)`)
    if (changes?.limited === undefined) expect(changes?.status).toEqual(whole)
    else expect(changes.notes).toContain(changes.limited)
  },
)

test('a shallow clone without anything to compare still reviews what the working tree changes', async () => {
  const dir = clone(forked(1), 1, 1)
  plant(dir, { 'a.txt': 'b\n' })
  const changes = await collect(dir, 'origin/main')
  expect(changes?.status).toEqual(['M a.txt (unstaged)'])
  expect(changes?.limited).toMatch(/this clone is shallow and has one commit/)
})

test('with unrelated histories, shows what HEAD adds and changes, and no deletions', async () => {
  const dir = repoWith({ 'a.txt': 'a\n', 'only-main.txt': 'm\n' })
  git(dir, 'checkout', '-q', '--orphan', 'other')
  git(dir, 'rm', '-rqf', '.')
  plant(dir, { 'a.txt': 'b\n', 'new.txt': 'n\n' })
  git(dir, 'add', '.')
  git(dir, 'commit', '-qm', 'other')
  const changes = await collect(dir, 'main')
  expect(changes?.status).toEqual(['M a.txt (since main)', 'A new.txt (since main)'])
  expect(changes?.limited).toMatch(/unrelated/)
})

test('a damaged repository is a failure, not a missing common commit', async () => {
  const dir = forked(2)
  git(dir, 'checkout', '-q', 'work')
  const lost = git(dir, 'rev-parse', 'HEAD^').trim()
  rmSync(join(dir, '.git/objects', lost.slice(0, 2), lost.slice(2)))
  await expect(findBaseRange(run, dir, 'main', { signal, trusted: false })).rejects.toThrow(/merge-base/)
})
