// Trees without a checkout: snapshots, comparisons, grafts, merges. The person's index is never written.
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { merge } from '../../../internal/research/merge.ts'
import {
  ask,
  compare,
  graft,
  list,
  patch,
  type Shelf,
  snapshot,
  unpack,
} from '../../../internal/research/tree.ts'
import { git, repoWith } from '../../support/repo.ts'
import { run } from '../../support/run.ts'
import { harvest, scratch } from '../../support/scratch.ts'

function shelfOf(dir: string): Shelf {
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
  const shelf = shelfOf(dir)
  const tree = await snapshot(shelf, place(dir), ['.auto'])
  expect([...(await list(shelf, tree)).keys()].sort()).toEqual(['.gitignore', 'a', 'link', 'odd "\n\u00e4'])
  expect([readFileSync(index), statSync(index).mtimeMs]).toEqual(before)
  expect((await list(shelf, tree)).get('link')?.mode).toBe('120000')
})

it('sees a change of the same size within the same second', async () => {
  const dir = repoWith({ a: '1' })
  const shelf = shelfOf(dir)
  const seen = new Set<string>()
  for (const text of ['2', '3', '4', '5']) {
    writeFileSync(join(dir, 'a'), text)
    if (text === '3') git(dir, 'add', 'a')
    seen.add(await snapshot(shelf, place(dir), []))
  }
  expect(seen.size).toBe(4)
})

it('grafts changes of every kind', async () => {
  const dir = repoWith({ a: 'a', 'dir/b': 'b', c: 'c' })
  const shelf = shelfOf(dir)
  const from = (await ask(shelf, ['rev-parse', 'HEAD^{tree}'])).trim()
  rmSync(join(dir, 'dir'), { recursive: true })
  writeFileSync(join(dir, 'dir'), 'now a file')
  rmSync(join(dir, 'a'))
  mkdirSync(join(dir, 'a'))
  writeFileSync(join(dir, 'a', 'deep'), 'now a folder')
  chmodSync(join(dir, 'c'), 0o755)
  const to = await snapshot(shelf, place(dir), [])
  const changes = await compare(shelf, from, to)
  expect(changes.map(({ path }) => path).sort()).toEqual(['a', 'a/deep', 'c', 'dir', 'dir/b'])
  expect(await graft(shelf, from, changes)).toBe(to)
  expect(await graft(shelf, to, await compare(shelf, to, from))).toBe(from)
  const copy = join(scratch(), 'copy')
  await unpack(shelf, to, copy)
  expect(harvest(copy)).toEqual({ 'a/deep': 'now a folder', 'c x': 'c', dir: 'now a file' })
  expect(await patch(shelf, from, to)).toContain('old mode 100644')
})

async function trees(
  shelf: Shelf,
  dir: string,
  ...states: Record<string, string | null>[]
): Promise<string[]> {
  const made: string[] = []
  for (const state of states) {
    for (const [name, text] of Object.entries(state)) {
      if (text === null) rmSync(join(dir, name))
      else writeFileSync(join(dir, name), text)
    }
    made.push(await snapshot(shelf, place(dir), []))
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
  const shelf = shelfOf(dir)
  const [base = '', mine = ''] = await trees(shelf, dir, start, ours)
  const [, yours = ''] = await trees(shelf, dir, start, theirs)
  const tree = await merge(shelf, { base, ours: mine, theirs: yours })
  if (!merged) return expect(tree).toBe(undefined)
  const copy = join(scratch(), 'copy')
  await unpack(shelf, tree as string, copy)
  expect(harvest(copy)).toEqual({ ...start, ...merged })
})
