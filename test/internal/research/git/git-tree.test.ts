// Git trees without a checkout: snapshots, comparisons, grafts. The user's index is never written.
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  compareTrees,
  createPatch,
  type GitRepository,
  graftTree,
  listTree,
  runGit,
  snapshotTree,
  unpackTree,
} from '../../../../internal/research/git/git-tree.ts'
import { git, repoWith } from '../../../support/repo.ts'
import { run } from '../../../support/run.ts'
import { harvest, scratch } from '../../../support/scratch.ts'

function repositoryAt(dir: string): GitRepository {
  return { run, top: dir, scratch: scratch() }
}
const place = (dir: string) => ({ top: dir, gitDir: join(dir, '.git') })

it('includes everything but ignored files and excluded paths', async () => {
  const dir = repoWith({ a: 'a', 'gone/b': 'b', '.gitignore': 'out\n', '.auto/x': 'x' })
  const index = join(dir, '.git', 'index')
  writeFileSync(join(dir, 'a'), 'changed')
  writeFileSync(join(dir, 'odd "\n\u00e4'), '')
  symlinkSync('a', join(dir, 'link'))
  mkdirSync(join(dir, 'out'))
  writeFileSync(join(dir, 'out', 'x'), '')
  rmSync(join(dir, 'gone'), { recursive: true })
  const before = [readFileSync(index), statSync(index).mtimeMs]
  const repo = repositoryAt(dir)
  const tree = await snapshotTree(repo, place(dir), ['.auto'])
  expect([...(await listTree(repo, tree)).keys()].sort()).toEqual([
    '.gitignore',
    'a',
    'link',
    'odd "\n\u00e4',
  ])
  expect([readFileSync(index), statSync(index).mtimeMs]).toEqual(before)
  expect((await listTree(repo, tree)).get('link')?.mode).toBe('120000')
})

it('detects a change of the same size within the same second', async () => {
  const dir = repoWith({ a: '1' })
  const repo = repositoryAt(dir)
  const seen = new Set<string>()
  for (const text of ['2', '3', '4', '5']) {
    writeFileSync(join(dir, 'a'), text)
    if (text === '3') git(dir, 'add', 'a')
    seen.add(await snapshotTree(repo, place(dir), []))
  }
  expect(seen.size).toBe(4)
})

it('grafts changes of every kind', async () => {
  const dir = repoWith({ a: 'a', 'dir/b': 'b', c: 'c' })
  const repo = repositoryAt(dir)
  const from = (await runGit(repo, ['rev-parse', 'HEAD^{tree}'])).trim()
  rmSync(join(dir, 'dir'), { recursive: true })
  writeFileSync(join(dir, 'dir'), 'now a file')
  rmSync(join(dir, 'a'))
  mkdirSync(join(dir, 'a'))
  writeFileSync(join(dir, 'a', 'deep'), 'now a folder')
  chmodSync(join(dir, 'c'), 0o755)
  const to = await snapshotTree(repo, place(dir), [])
  const changes = await compareTrees(repo, from, to)
  expect(changes.map(({ path }) => path).sort()).toEqual(['a', 'a/deep', 'c', 'dir', 'dir/b'])
  expect(await graftTree(repo, from, changes)).toBe(to)
  expect(await graftTree(repo, to, await compareTrees(repo, to, from))).toBe(from)
  const copy = join(scratch(), 'copy')
  await unpackTree(repo, to, copy)
  expect(harvest(copy)).toEqual({ 'a/deep': 'now a folder', 'c x': 'c', dir: 'now a file' })
  expect(await createPatch(repo, from, to)).toContain('old mode 100644')
})
