// The tool apply_patch: trees before and after, all files or none, and what is judged before anyone is asked.
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FileDiff } from '../../../../internal/tool/ask.ts'
import { parseArguments } from '../../../../internal/tool/parse.ts'
import { applyPatch } from '../../../../internal/tools/files/apply_patch.ts'
import { read } from '../../../../internal/tools/files/read.ts'
import { accessOf, call, ctxIn } from '../../../support/ctx.ts'
import { refusalOf } from '../../../support/refusal.ts'
import { harvest, scratch, scratchWith } from '../../../support/scratch.ts'

const files = { 'a.txt': 'one\ntwo\nthree\n', 'src/b.ts': 'let b = 1\n', 'old/c.md': '# c\n' }

async function patch(text: string, more: Record<string, string | Uint8Array> = {}) {
  const dir = scratchWith({ ...files, ...more })
  const data = scratch()
  const result = await call(applyPatch, { patch: text }, ctxIn(dir, data))
  expect(existsSync(join(data, 'journal')) ? readdirSync(join(data, 'journal')) : []).toEqual([])
  return { result, after: harvest(dir), dir }
}

const everything = `diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@
 one
-two
+TWO
 three
diff --git a/src/b.ts b/lib/b.ts
similarity index 50%
rename from src/b.ts
rename to lib/b.ts
--- a/src/b.ts
+++ b/lib/b.ts
@@ -1 +1 @@
-let b = 1
+let b = 2
diff --git a/old/c.md b/old/c.md
deleted file mode 100644
--- a/old/c.md
+++ /dev/null
@@ -1 +0,0 @@
-# c
diff --git a/bin/run b/bin/run
new file mode 100755
--- /dev/null
+++ b/bin/run
@@ -0,0 +1 @@
+#!/bin/sh
`

describe('changes', () => {
  it('changes, renames, removes and creates in one call', async () => {
    const { result, after, dir } = await patch(everything)
    expect(result.failed).toBeUndefined()
    expect(after).toEqual({
      'a.txt': 'one\nTWO\nthree\n',
      'lib/b.ts': 'let b = 2\n',
      'bin/run x': '#!/bin/sh\n',
    })
    expect(existsSync(join(dir, 'old'))).toBe(false)
    expect(result.text).toBe(
      'changed a.txt: +1 -1\nrenamed src/b.ts to lib/b.ts: +1 -1\nremoved old/c.md: +0 -1\ncreated bin/run: +1 -0, executable',
    )
    expect(result.data).toMatchObject({
      added: 3,
      removed: 3,
      files: [
        { kind: 'modify' },
        { kind: 'rename', from: 'src/b.ts' },
        { kind: 'delete' },
        { kind: 'create', executable: true },
      ],
    })
    const { diffs } = result.data as { diffs: readonly FileDiff[] }
    const told = diffs.map(({ path, what, added, removed }) => `${path} ${what} +${added} -${removed}`)
    expect(told.toSorted()).toEqual([
      'a.txt changed +1 -1',
      'bin/run created, executable +1 -0',
      'lib/b.ts renamed from src/b.ts +1 -1',
      'old/c.md removed +0 -1',
      'src/b.ts renamed to lib/b.ts +0 -0',
    ])
    expect(diffs.find(({ path }) => path === 'a.txt')?.hunks).toBe(
      '@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n',
    )
  })

  it.each<[string, string, Record<string, string>]>([
    [
      'the envelope',
      '*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+TWO\n*** Add File: n\n+x\n*** Delete File: old/c.md\n*** End Patch',
      { 'a.txt': 'one\nTWO\nthree\n', 'src/b.ts': files['src/b.ts'], n: 'x\n' },
    ],
    [
      'a patch without prefixes',
      '--- a.txt\n+++ a.txt\n@@ -2 +2 @@\n-two\n+2\n',
      { ...files, 'a.txt': 'one\n2\nthree\n' },
    ],
    [
      'wrong counts and numbers',
      '--- a/a.txt\n+++ b/a.txt\n@@ -90,7 +90,9 @@\n two\n-three\n+3\n',
      { ...files, 'a.txt': 'one\ntwo\n3\n' },
    ],
    [
      'a file in the place of a directory',
      '--- a/old/c.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-# c\n--- /dev/null\n+++ b/old\n@@ -0,0 +1 @@\n+now a file\n',
      { 'a.txt': files['a.txt'], 'src/b.ts': files['src/b.ts'], old: 'now a file\n' },
    ],
    [
      'a directory in the place of a file',
      `diff --git a/a.txt b/a.txt/inner\nsimilarity index 100%\nrename from a.txt\nrename to a.txt/inner\n`,
      { 'a.txt/inner': files['a.txt'], 'src/b.ts': files['src/b.ts'], 'old/c.md': files['old/c.md'] },
    ],
  ])('%s', async (_, text, after) => {
    const done = await patch(text)
    expect(done.result.failed).toBeUndefined()
    expect(done.after).toEqual(after)
  })

  it('keeps bytes and modes that the patch does not change', async () => {
    const dir = scratchWith({ f: '\uFEFFa\r\nb  \r\nc' })
    chmodSync(join(dir, 'f'), 0o640)
    const result = await call(
      applyPatch,
      { patch: '--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n-a\n+A\n b\n c\n' },
      ctxIn(dir, scratch()),
    )
    expect(result.data?.files[0]?.hunks[0]).toMatchObject({ match: 'trailing_whitespace' })
    expect(readFileSync(join(dir, 'f'), 'utf8')).toBe('\uFEFFA\r\nb  \r\nc')
    expect(statSync(join(dir, 'f')).mode & 0o777).toBe(0o640)
  })

  it('reports offset and fuzz', async () => {
    const { result } = await patch('--- a/a.txt\n+++ b/a.txt\n@@ -2,3 +2,3 @@\n other\n two\n-three\n+3\n')
    expect(result.text).toBe(
      'changed a.txt: +1 -1\n  hunk 1 went in at line 1, 1 line above its number, with fuzz 1, ignoring trailing whitespace',
    )
  })

  it.each(['new\nline', 'quo"te', '-rf', 'with space', 'tab\t', 'ünï🙂', 'back\\slash'])(
    'of a file named %j',
    async (name) => {
      const dir = scratchWith({ [name]: 'a\n' })
      const quoted = JSON.stringify(`a/${name}`)
      const text = `--- ${quoted}\n+++ ${quoted.replace('"a/', '"b/')}\n@@ -1 +1 @@\n-a\n+b\n`
      expect((await call(applyPatch, { patch: text }, ctxIn(dir, scratch()))).failed).toBeUndefined()
      expect(harvest(dir)).toEqual({ [name]: 'b\n' })
    },
  )

  it('writes through a link inside of the workspace, to one file under two names as well', async () => {
    const dir = scratchWith({ 'real/f': 'a\nb\n' })
    symlinkSync('real', join(dir, 'link'))
    const text =
      '--- a/link/f\n+++ b/link/f\n@@ -1 +1 @@\n-a\n+A\n--- a/real/f\n+++ b/real/f\n@@ -2 +2 @@\n-b\n+B\n'
    expect((await call(applyPatch, { patch: text }, ctxIn(dir, scratch()))).failed).toBeUndefined()
    expect(harvest(join(dir, 'real'))).toEqual({ f: 'A\nB\n' })
  })
})

it.each([
  '--- a/link\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
  '*** Begin Patch\n*** Delete File: link\n*** End Patch',
  'diff --git a/link b/moved\nrename from link\nrename to moved\n',
])('leaves links and what is behind them alone: %j', async (text) => {
  const dir = scratchWith({ f: 'x\n' })
  symlinkSync('f', join(dir, 'link'))
  expect((await call(applyPatch, { patch: text }, ctxIn(dir, scratch()))).failed?.code).toBe('bad_patch')
  expect(readdirSync(dir).sort()).toEqual(['f', 'link'])
})

const good = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+ONE\n'

describe('all or none', () => {
  it.each<[string, string, string]>([
    [
      'a hunk that does not fit',
      '--- a/src/b.ts\n+++ b/src/b.ts\n@@ -1 +1 @@\n-let b = 9\n+x\n',
      'hunk_mismatch',
    ],
    ['a hunk that fits twice', '--- a/twice\n+++ b/twice\n@@ @@\n-x\n+y\n', 'ambiguous'],
    ['a missing file', '--- a/none\n+++ b/none\n@@ -1 +1 @@\n-a\n+b\n', 'file_missing'],
    ['a file that is there', '--- /dev/null\n+++ b/src/b.ts\n@@ -0,0 +1 @@\n+x\n', 'file_exists'],
    ['a directory', '--- a/src\n+++ b/src\n@@ -1 +1 @@\n-a\n+b\n', 'is_directory'],
    [
      'a new file in the place of a directory',
      '--- /dev/null\n+++ b/src\n@@ -0,0 +1 @@\n+x\n',
      'is_directory',
    ],
    ['below a file', '--- /dev/null\n+++ b/src/b.ts/x\n@@ -0,0 +1 @@\n+x\n', 'not_a_directory'],
    ['a binary file', '--- a/binary\n+++ b/binary\n@@ -1 +1 @@\n-a\n+b\n', 'binary_or_encoding'],
    ['binary content', 'diff --git a/i b/i\nGIT binary patch\nliteral 1\n', 'unsupported_binary_patch'],
    ['a NUL character', '--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\0b\n', 'binary_or_encoding'],
    ['a path outside', '--- /dev/null\n+++ b/../x\n@@ -0,0 +1 @@\n+x\n', 'outside_workspace'],
    [
      'an absolute path outside',
      '--- /etc/hostname\n+++ /etc/hostname\n@@ -1 +1 @@\n-x\n+y\n',
      'outside_workspace',
    ],
    [
      'a rename to the outside',
      'diff --git a/src/b.ts b/x\nrename from src/b.ts\nrename to ../x\n',
      'outside_workspace',
    ],
    [
      'a symbolic link',
      'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n',
      'bad_patch',
    ],
    ['garbage in a header', 'diff --git a/q b/q\ngarbage\n', 'bad_patch'],
  ])('%s', async (_, bad, code) => {
    const more = { binary: 'a\0b', twice: 'x\nx\n' }
    for (const text of [good + bad, bad + good]) {
      const { result, after } = await patch(text, more)
      expect(result.failed?.code).toBe(code)
      expect(after).toEqual({ ...files, ...more })
    }
  })

  it.each(['', '   \n', 'hello', '*** Begin Patch\n*** End Patch'])('refuses %j', async (text) => {
    const dir = scratchWith(files)
    const refused = await call(applyPatch, { patch: text }, ctxIn(dir, scratch())).then(
      (result) => result.failed?.code,
      () => 'refused by the schema',
    )
    expect(refused).toBe(text === '' ? 'refused by the schema' : 'bad_patch')
  })

  it('names the file, the hunk and the first line that differs', async () => {
    const { result } = await patch('--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-too\n+2\n three\n')
    expect(result.failed?.message).toContain('hunk 1 for a.txt (@@ -1,3 +1,3 @@) does not fit')
    expect(result.failed?.message).toContain('first difference in line 2:\n  wanted "too"\n  found  "two"')
  })
})

describe('before it runs', () => {
  it('accepts the patch under its other names', () => {
    for (const name of ['patch', 'input', 'diff']) {
      expect(parseArguments(applyPatch.input, { [name]: good })).toMatchObject({
        ok: true,
        args: { patch: good },
      })
    }
  })

  it('passes every path to the rules, read or written', () => {
    const copy = 'diff --git a/x b/y\ncopy from x\ncopy to y\n'
    expect(accessOf(applyPatch, { patch: everything + copy }).scope).toEqual([
      { kind: 'path', path: 'a.txt', access: 'write' },
      { kind: 'path', path: 'lib/b.ts', access: 'write' },
      { kind: 'path', path: 'src/b.ts', access: 'write' },
      { kind: 'path', path: 'old/c.md', access: 'write' },
      { kind: 'path', path: 'bin/run', access: 'write' },
      { kind: 'path', path: 'y', access: 'write' },
      { kind: 'path', path: 'x', access: 'read' },
    ])
  })

  it('an invalid patch has no paths', async () => {
    expect((await refusalOf(() => accessOf(applyPatch, { patch: 'no' }).scope))?.code).toBe('bad_patch')
  })

  it('checks the patch before approval, and shows nothing of files that may hold secrets', async () => {
    const dir = scratchWith({ ...files, '.env': 'KEY=secret\n' })
    const ctx = ctxIn(dir, scratch())
    const wrong = good.replace('-one', '-1')
    const check = async (patch: string) =>
      (await refusalOf(async () => applyPatch.validate?.({ patch }, ctx)))?.code
    expect(await check(wrong)).toBe('hunk_mismatch')
    expect(await check(good)).toBeUndefined()
    const secret = '--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-KEY=guess\n+x\n'
    expect(await check(secret)).toBeUndefined()
    expect(await check(secret + good.replace('a.txt', '../a'))).toBeUndefined()
    expect(harvest(dir)).toEqual({ ...files, '.env': 'KEY=secret\n' })
  })

  it('removes a file without its content in the patch only if it is as it was read', async () => {
    const dir = scratchWith(files)
    const ctx = ctxIn(dir, scratch())
    await call(read, { path: 'a.txt' }, ctx)
    writeFileSync(join(dir, 'a.txt'), 'by hand\n')
    const blind = '*** Begin Patch\n*** Delete File: a.txt\n*** End Patch'
    expect((await call(applyPatch, { patch: blind }, ctx)).failed?.code).toBe('stale_read')
    expect(readFileSync(join(dir, 'a.txt'), 'utf8')).toBe('by hand\n')
  })
})
