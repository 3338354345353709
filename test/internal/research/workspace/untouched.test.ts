// The user's files in the checkout, which stay unchanged: tracked, staged, untracked, stashed, refs.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { SessionSettings } from '../../../../internal/research/settings.ts'
import { files, type Lab, lab, paired, plain, refusal } from '../../../support/research.ts'
import { sampleRows } from '../../../support/sample.ts'
import { harvest } from '../../../support/scratch.ts'

// every case starts dozens of git processes, and other tests may be at work
vi.setConfig({ testTimeout: 120_000 })

/** Returns everything that the user could lose, without the refs of Anode and the ledger. */
function belongings(at: Lab) {
  const git = (...args: string[]) => at.git('-c', 'core.hooksPath=/dev/null', ...args)
  const bytes = Object.entries(harvest(at.dir)).filter(
    ([name]) => !/^\.git\//.test(name) && !/^\.auto\/log/.test(name),
  )
  return {
    files: Object.fromEntries(bytes),
    staged: git('ls-files', '-s'),
    status: git('status', '--porcelain'),
    refs: git('for-each-ref', '--format=%(refname) %(objectname)').replace(
      /^refs\/(anode|heads\/anode)\/.*\n/gm,
      '',
    ),
    head: readFileSync(join(at.dir, '.git', 'HEAD'), 'utf8'),
    stash: git('stash', 'list'),
    config: readFileSync(join(at.dir, '.git', 'config'), 'utf8'),
  }
}

/** Returns a checkout with work of every kind. */
function busy(): Lab {
  const at = lab({
    ...files,
    'a.txt': 'a\n',
    'b.txt': 'b\n',
    'gone.txt': '',
    'lib/c.txt': 'c\n',
    '.gitignore': 'out/\n',
  })
  at.put('a.txt', 'stashed\n')
  at.git('stash')
  at.put('a.txt', 'staged\n')
  at.git('add', 'a.txt')
  at.put('a.txt', 'staged, then changed\n')
  at.put('b.txt', 'changed\n')
  at.put('new.txt', 'untracked\n')
  at.put('staged-new.txt', 'new\n')
  at.git('add', 'staged-new.txt')
  at.put('out/built.o', 'ignored\n')
  at.git('rm', '-q', 'gone.txt')
  at.put('odd\tname \u00e4.txt', 'odd\n')
  for (const hook of [
    'pre-commit',
    'post-commit',
    'post-checkout',
    'reference-transaction',
    'post-index-change',
  ])
    at.put(
      `.git/hooks/${hook}`,
      '#!/bin/sh\necho hooked >> "$GIT_DIR/../b.txt"; echo hooked >> b.txt\n',
      0o755,
    )
  return at
}

const ways: { what: string; settings: SessionSettings; detach?: boolean }[] = [
  { what: 'the plain gate', settings: plain },
  { what: 'the paired gate', settings: { ...paired, scope: ['speed.txt', 'made'] } },
  { what: 'a detached HEAD', settings: { ...paired, scope: ['speed.txt', 'made'] }, detach: true },
]

it.each(sampleRows(ways, 2))(
  'leaves everything unchanged under $what',
  { timeout: 60_000 },
  async ({ settings, detach }) => {
    const at = busy()
    if (detach) at.git('checkout', '-q', '--detach')
    rmSync(join(at.dir, 'b.txt'))
    at.put('b.txt', 'changed\n')
    const before = belongings(at)
    const research = await at.open()
    const started = await research.init(settings)
    expect(started.dirty).toContain('b.txt')
    await research.run()
    await research.log({ status: 'baseline' })
    expect(belongings(at)).toEqual(before)

    at.put('speed.txt', '200\n')
    at.put('made/deep/file.txt', 'candidate\n')
    await research.run()
    await research.log({ status: 'discard' })
    expect(belongings(at)).toEqual(before)
    expect(existsSync(join(at.dir, 'made'))).toBe(false)

    at.put('speed.txt', '50\n')
    at.put('made/x', 'new\n')
    await research.run()
    const { commit } = await research.log({ status: 'keep', description: 'halve' })
    expect(
      at
        .git('show', '--name-only', '--format=', commit as string)
        .split('\n')
        .filter(Boolean),
    ).toEqual(['made/x', 'speed.txt'])
    expect(at.git('rev-list', '--count', `${started.head}..HEAD`).trim()).toBe('1')
    const after = belongings(at)
    expect(after.status).toBe(before.status)
    expect(after.stash).toBe(before.stash)
    if (detach) expect(after.refs).toBe(before.refs)
    expect(at.git('diff', '--cached', 'a.txt')).toContain('+staged')
    expect(await research.verify()).toMatchObject({ ok: true, problems: [] })
  },
)

it('includes commits of others in best and never reverts them', { timeout: 60_000 }, async () => {
  const at = lab({ ...files, 'other.txt': 'old\n' })
  const research = await at.open()
  await research.init({ ...paired, scope: ['speed.txt'] })
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('other.txt', 'mine\n')
  at.git('commit', '-qam', 'my own work')
  at.put('speed.txt', '50\n')
  expect(await research.run()).toMatchObject({ status: 'keep', changed: ['speed.txt'], outside: [] })
  await research.log({ status: 'keep' })
  at.put('other.txt', 'mine again\n')
  at.git('commit', '-qam', 'more of it')
  at.put('speed.txt', '70\n')
  expect(await research.run()).toMatchObject({ status: 'discard', reason: 'worse' })
  await research.log({ status: 'discard' })
  expect(at.read('other.txt')).toBe('mine again\n')
  expect(at.read('speed.txt')).toBe('50\n')
  expect(at.git('status', '--porcelain')).toBe('')
  expect(at.git('log', '--format=%s').trim().split('\n')).toEqual([
    'more of it',
    'Keep experiment 2',
    'my own work',
    'first',
  ])
})

it('leaves changes outside of the scope', async () => {
  const at = lab({ ...files, 'other.txt': 'old\n' })
  const research = await at.open()
  await research.init({ ...plain, scope: ['speed.txt'] })
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('other.txt', 'mine\n')
  at.put('notes.txt', 'mine\n')
  at.put('speed.txt', '120\n')
  expect(await research.run()).toMatchObject({ outside: ['notes.txt', 'other.txt'] })
  expect((await research.log({ status: 'discard' })).restored).toEqual(['speed.txt'])
  expect(at.read('other.txt') + at.read('notes.txt')).toBe('mine\nmine\n')
})

it('counts an untracked file as a change of no candidate that began after it', async () => {
  const at = lab({ ...files, 'other.txt': 'old\n' })
  const research = await at.open()
  await research.init({ ...paired, skipNullTest: true, scope: ['speed.txt'] })
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('notes.txt', 'mine\n')
  at.put('speed.txt', '50\n')
  const barred = { status: 'checks_failed', reason: 'scope' }
  expect(await research.run()).toMatchObject({ ...barred, outside: ['notes.txt'] })
  expect((await research.log({})).leftAlone).toEqual(['notes.txt'])
  // the same idea again, while the user continues to write
  at.put('speed.txt', '50\n')
  at.put('notes.txt', 'mine, longer\n')
  const notes = ['not part of the candidate, because it was there before: notes.txt']
  expect(await research.run()).toMatchObject({ status: 'keep', changed: ['speed.txt'], outside: [], notes })
  expect((await research.log({})).commit).not.toBe(null)
  expect(at.git('show', '--name-only', '--format=', 'HEAD').trim()).toBe('speed.txt')
  expect(at.read('notes.txt')).toBe('mine, longer\n')
  // new files and tracked ones still count
  for (const path of ['more.txt', 'other.txt']) {
    at.put('speed.txt', '40\n')
    at.put(path, 'mine\n')
    expect(await research.run()).toMatchObject({ ...barred, outside: [path] })
    await research.log({})
  }
  expect(await research.run()).toMatchObject({ ...barred, outside: ['other.txt'] })
  expect(at.read('notes.txt') + at.read('more.txt')).toBe('mine, longer\nmine\n')
})

it('waits for a locked index with the run still open', async () => {
  const at = lab()
  const research = await at.open()
  await research.init(plain)
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('speed.txt', '50\n')
  await research.run()
  const before = at.git('rev-parse', 'HEAD')
  writeFileSync(join(at.dir, '.git', 'index.lock'), '')
  expect(await refusal(research.log({ status: 'keep' }))).toBe('command_failed')
  await expect(research.log({ status: 'keep' })).rejects.toThrow(/index\.lock': File exists/)
  expect(at.git('rev-parse', 'HEAD')).toBe(before)
  rmSync(join(at.dir, '.git', 'index.lock'))
  expect((await research.log({ status: 'keep' })).commit).not.toBe(null)
  expect(at.git('status', '--porcelain')).toBe('')
})

it('reports in the words of git that the author of a commit is missing', async () => {
  const at = lab()
  at.git('config', 'user.email', '')
  at.git('config', 'user.name', '')
  const research = await at.open()
  await research.init(plain)
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('speed.txt', '50\n')
  await research.run()
  await expect(research.log({ status: 'keep' })).rejects.toThrow(/git commit-tree: .*ident/s)
  at.git('config', 'user.email', 'a@example.org')
  at.git('config', 'user.name', 'A')
  expect((await research.log({ status: 'keep' })).commit).not.toBe(null)
})

it('does not revert files that a run itself has produced', async () => {
  const at = lab({
    ...files,
    '.auto/measure.sh': 'date +%N > report.txt; echo "METRIC ms=$(cat speed.txt)"\n',
  })
  const research = await at.open()
  await research.init(plain)
  expect(await research.run()).toMatchObject({ produced: ['report.txt'], changed: [] })
  await research.log({ status: 'baseline' })
  at.put('speed.txt', '120\n')
  expect(await research.run()).toMatchObject({ produced: ['report.txt'], changed: ['speed.txt'] })
  expect((await research.log({ status: 'discard' })).restored).toEqual(['speed.txt'])
  expect(existsSync(join(at.dir, 'report.txt'))).toBe(true)
  at.put('speed.txt', '80\n')
  await research.run()
  await research.log({ status: 'keep' })
  expect(at.git('show', '--name-only', '--format=', 'HEAD').trim()).toBe('speed.txt')
})

it('works in a directory below the top of a repository', { timeout: 60_000 }, async () => {
  const below = Object.fromEntries(Object.entries(files).map(([name, text]) => [`pkg/one/${name}`, text]))
  const at = lab({ ...below, 'pkg/two.txt': '', 'top.txt': '' })
  const research = await at.open({ cwd: join(at.dir, 'pkg', 'one') })
  await research.init({ ...paired, scope: ['speed.txt'] })
  expect(await research.run()).toMatchObject({ status: 'baseline', metric: 100 })
  await research.log({ status: 'baseline' })
  at.put('pkg/one/speed.txt', '50\n')
  expect(await research.run()).toMatchObject({ status: 'keep', changed: ['pkg/one/speed.txt'] })
  await research.log({ status: 'keep' })
  at.put('pkg/two.txt', 'outside\n')
  expect(await research.run()).toMatchObject({ reason: 'scope', outside: ['pkg/two.txt'] })
  await research.log({ status: 'checks_failed' })
  expect(at.read('pkg/two.txt')).toBe('outside\n')
  expect(at.git('status', '--porcelain').trim()).toBe('M pkg/two.txt')
})
