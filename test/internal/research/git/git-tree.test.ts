// Trees without a checkout: snapshots, comparisons, grafts, merges. The person's index is never written.
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
import { mergeTrees } from '../../../../internal/research/git/tree-merge.ts'
import { git, repoWith } from '../../../support/repo.ts'
import { run } from '../../../support/run.ts'
import { harvest, scratch } from '../../../support/scratch.ts'

function repositoryAt(dir: string): GitRepository {
  return { run, top: dir, scratch: scratch() }
}
const place = (dir: string) => ({ top: dir, gitDir: join(dir, '.git') })

it('takes everything but ignored files and what it is told to leave out', async () => {
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

it('sees a change of the same size within the same second', async () => {
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

async function trees(
  repo: GitRepository,
  dir: string,
  ...states: Record<string, string | null>[]
): Promise<string[]> {
  const made: string[] = []
  for (const state of states) {
    for (const [name, text] of Object.entries(state)) {
      if (text === null) rmSync(join(dir, name))
      else writeFileSync(join(dir, name), text)
    }
    made.push(await snapshotTree(repo, place(dir), []))
  }
  return made
}

const lines = (first: string, last: string) => `${first}\n${'middle\n'.repeat(10)}${last}\n`

it.each([
  { what: 'other files', ours: { a: 'ours' }, theirs: { b: 'theirs' }, merged: { a: 'ours', b: 'theirs' } },
  {
    what: 'other lines',
    ours: { l: lines('ours', 'z') },
    theirs: { l: lines('a', 'theirs') },
    merged: { l: lines('ours', 'theirs') },
  },
  { what: 'the same change', ours: { a: 'same' }, theirs: { a: 'same' }, merged: { a: 'same' } },
  {
    what: 'the same lines',
    ours: { l: lines('ours', 'z') },
    theirs: { l: lines('theirs', 'z') },
    merged: undefined,
  },
  { what: 'a removal and a change', ours: { a: null }, theirs: { a: 'theirs' }, merged: undefined },
  { what: 'bytes that are no text', ours: { a: 'o\0' }, theirs: { a: 't\0' }, merged: undefined },
])('merges $what', async ({ ours, theirs, merged }) => {
  const start = { a: 'a', b: 'b', l: lines('a', 'z') }
  const dir = repoWith(start)
  const repo = repositoryAt(dir)
  const [base = '', mine = ''] = await trees(repo, dir, start, ours)
  const [, yours = ''] = await trees(repo, dir, start, theirs)
  const tree = await mergeTrees(repo, { base, ours: mine, theirs: yours })
  if (!merged) return expect(tree).toBe(undefined)
  const copy = join(scratch(), 'copy')
  await unpackTree(repo, tree as string, copy)
  expect(harvest(copy)).toEqual({ ...start, ...merged })
})
