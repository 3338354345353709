// Merges of trees: what both sides changed apart from each other is joined, anything else is a conflict.
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  type GitRepository,
  listTree,
  snapshotTree,
  unpackTree,
} from '../../../../internal/research/git/git-tree.ts'
import { mergeTrees } from '../../../../internal/research/git/tree-merge.ts'
import { repoWith } from '../../../support/repo.ts'
import { run } from '../../../support/run.ts'
import { harvest, scratch } from '../../../support/scratch.ts'

function repositoryAt(dir: string): GitRepository {
  return { run, top: dir, scratch: scratch() }
}
const place = (dir: string) => ({ top: dir, gitDir: join(dir, '.git') })

/** Texts of files by their names; null removes a file. */
type FileTexts = Record<string, string | null>

async function trees(repo: GitRepository, dir: string, ...states: FileTexts[]): Promise<string[]> {
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

it.each<{ what: string; ours: FileTexts; theirs: FileTexts; merged: FileTexts | undefined }>([
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

it('merges several pairs of one repository at the same time', async () => {
  const start = { l: lines('a', 'z') }
  const dir = repoWith(start)
  const repo = repositoryAt(dir)
  const [base = '', ours = ''] = await trees(repo, dir, start, { l: lines('ours', 'z') })
  const names = Array.from({ length: 6 }, (_, i) => `theirs ${i}`)
  const sides = await trees(repo, dir, ...names.map((name) => ({ l: lines('a', name) })))
  const merged = await Promise.all(sides.map((theirs) => mergeTrees(repo, { base, ours, theirs })))
  for (const [i, tree] of merged.entries()) {
    const copy = join(scratch(), 'copy')
    await unpackTree(repo, tree as string, copy)
    expect(harvest(copy)).toEqual({ l: lines('ours', names[i] as string) })
  }
})

it.each([
  { ours: 0o755, theirs: 0o644, merged: '100755' },
  { ours: 0o644, theirs: 0o755, merged: '100755' },
  { ours: 0o755, theirs: 0o755, merged: '100755' },
  { ours: 0o644, theirs: 0o644, merged: '100644' },
])('keeps the mode that one side changed: %j', async ({ ours, theirs, merged }) => {
  const dir = repoWith({ l: lines('a', 'z') })
  const repo = repositoryAt(dir)
  const make = async (first: string, last: string, mode: number) => {
    chmodSync(join(dir, 'l'), mode)
    const [tree = ''] = await trees(repo, dir, { l: lines(first, last) })
    return tree
  }
  const base = await make('a', 'z', 0o644)
  const mine = await make('ours', 'z', ours)
  const tree = await mergeTrees(repo, { base, ours: mine, theirs: await make('a', 'theirs', theirs) })
  expect((await listTree(repo, tree as string)).get('l')?.mode).toBe(merged)
})
