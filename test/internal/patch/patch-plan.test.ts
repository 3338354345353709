// Patches over a tree in memory: every kind of change, in the order git gives them meaning, and every refusal.
import { describe, expect, it } from 'vitest'
import { type PatchSource, planPatch } from '../../../internal/patch/patch-plan.ts'
import { readPatch } from '../../../internal/patch/patch-reader.ts'
import { refusalOf } from '../../support/refusal.ts'

type Tree = Record<string, string>

async function plan(tree: Tree, patch: string) {
  const read = async (path: string): Promise<PatchSource> => {
    const text = tree[path]
    return { key: path, shown: path, file: text === undefined ? null : { text, mode: 0o644, print: path } }
  }
  const { targets, steps } = await planPatch(readPatch(patch), read)
  const after: Record<string, string> = { ...tree }
  for (const { source, text, mode } of targets) {
    if (text === null) delete after[source.key]
    else after[source.key] = text + (mode !== undefined && mode & 0o100 ? ' [x]' : '')
  }
  return { after, steps }
}

const rename = (from: string, to: string) =>
  `diff --git a/${from} b/${to}\nsimilarity index 100%\nrename from ${from}\nrename to ${to}\n`
const copy = (from: string, to: string) => rename(from, to).replaceAll('rename', 'copy')
const modify = (path: string, from: string, to: string) =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${from}\n+${to}\n`
const create = (path: string, text: string) => `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${text}\n`
const remove = (path: string, text: string) => `--- a/${path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-${text}\n`

describe('changes', () => {
  it.each<[string, Tree, string, Tree]>([
    [
      'several kinds at once',
      { a: '1\n', b: '2\n' },
      modify('a', '1', 'x') + remove('b', '2') + create('c', '3'),
      { a: 'x\n', c: '3\n' },
    ],
    ['one file twice', { a: '1\n' }, modify('a', '1', '2') + modify('a', '2', '3'), { a: '3\n' }],
    ['a swap', { a: '1\n', b: '2\n' }, rename('a', 'b') + rename('b', 'a'), { a: '2\n', b: '1\n' }],
    [
      'a copy of the file as it was',
      { a: '1\n' },
      modify('a', '1', '2') + copy('a', 'b'),
      { a: '2\n', b: '1\n' },
    ],
    [
      'a rename and a copy of the same',
      { a: '1\n' },
      rename('a', 'b') + copy('a', 'c'),
      { b: '1\n', c: '1\n' },
    ],
    [
      'a rename with a change',
      { a: '1\n' },
      `${rename('a', 'b')}--- a/a\n+++ b/b\n@@ -1 +1 @@\n-1\n+2\n`,
      { b: '2\n' },
    ],
    ['a mode', { a: '1\n' }, 'diff --git a/a b/a\nold mode 100644\nnew mode 100755\n', { a: '1\n [x]' }],
    [
      'an executable new file',
      {},
      'diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n',
      { n: 'x\n [x]' },
    ],
    ['removed and made again', { a: '1\n' }, remove('a', '1') + create('a', '2'), { a: '2\n' }],
    ['a new file without /dev/null', {}, '--- a/n\n+++ b/n\n@@ -0,0 +1 @@\n+x\n', { n: 'x\n' }],
    ['a blind removal', { a: 'anything' }, '*** Begin Patch\n*** Delete File: a\n*** End Patch', {}],
  ])('%s', async (_, tree, patch, after) => {
    expect((await plan(tree, patch)).after).toEqual(after)
  })

  it('renames a file that an earlier part has changed', async () => {
    const { after } = await plan({ a: '1\n' }, modify('a', '1', '2') + rename('a', 'b'))
    expect(after).toEqual({ b: '2\n' })
  })

  it('reports each step', async () => {
    const { steps } = await plan({ a: '1\n', b: '2\n' }, modify('a', '1', 'x') + rename('b', 'c'))
    expect(steps).toMatchObject([
      { kind: 'modify', path: 'a', added: 1, removed: 1, hunks: [{ hunk: 1, line: 1 }] },
      { kind: 'rename', path: 'c', from: 'b', added: 0, removed: 0 },
    ])
  })
})

describe('rejects', () => {
  it.each<[string, Tree, string, string]>([
    ['a file that is not there', {}, modify('a', '1', '2'), 'file_missing'],
    ['a removal of nothing', {}, remove('a', '1'), 'file_missing'],
    ['a rename of nothing', {}, rename('a', 'b'), 'file_missing'],
    ['a new file that is there', { a: '1\n' }, create('a', '2'), 'file_exists'],
    ['a rename onto another', { a: '1\n', b: '2\n' }, rename('a', 'b'), 'file_exists'],
    ['a copy onto another', { a: '1\n', b: '2\n' }, copy('a', 'b'), 'file_exists'],
    ['two renames onto one', { a: '1\n', b: '2\n' }, rename('a', 'c') + rename('b', 'c'), 'file_exists'],
    ['a removal that knows too little', { a: '1\n2\n' }, remove('a', '1'), 'hunk_mismatch'],
    [
      'a hunk that does not fit, whatever else does',
      { a: '1\n', b: '2\n' },
      modify('a', '1', '2') + modify('b', '9', '3'),
      'hunk_mismatch',
    ],
    ['no change at all', { a: '1\n' }, modify('a', '1', '1'), 'no_change'],
    ['the mode it has', { a: '1\n' }, 'diff --git a/a b/a\nold mode 100755\nnew mode 100644\n', 'no_change'],
  ])('%s', async (_, tree, patch, code) => {
    expect((await refusalOf(() => plan(tree, patch)))?.code).toBe(code)
  })
})
