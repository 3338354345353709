// The tool edit_file: the three shapes, what is written and reported, and nothing written when a part fails.
import {
  chmodSync,
  linkSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { editFile } from '../../../../internal/tools/files/edit_file.ts'
import { read } from '../../../../internal/tools/files/read.ts'
import { call, ctxIn } from '../../../support/ctx.ts'
import { refusalOf } from '../../../support/refusal.ts'
import { harvest, scratch, scratchWith } from '../../../support/scratch.ts'
import { root } from '../../../support/sources.ts'
import { untilOld } from '../../../support/waiting.ts'

const go = 'package main\n\nfunc main() {\n\tfmt.Println("hello")\n}\n'

async function edit(content: string | Uint8Array, args: Record<string, unknown>) {
  const dir = scratchWith({ f: content })
  const result = await call(editFile, { path: 'f', ...args }, ctxIn(dir, scratch()))
  return { result, after: readFileSync(join(dir, 'f'), 'utf8') }
}

describe('shapes', () => {
  it.each<[string, Record<string, unknown>]>([
    ['edits', { edits: [{ old: 'fmt.Println("hello")', new: 'fmt.Println("goodbye")', occurrence: 1 }] }],
    [
      'several edits',
      {
        edits: [
          { old: 'hello', new: 'x' },
          { old: '"x"', new: '"goodbye"' },
        ],
      },
    ],
    ['old_str', { old_str: 'hello', new_str: 'goodbye' }],
    ['replace_all', { old_str: 'hello', new_str: 'goodbye', replace_all: true }],
    ['replace_all as text', { old_str: 'hello', new_str: 'goodbye', replace_all: 'true' }],
    [
      'unified_diff',
      { unified_diff: '--- a/f\n+++ b/f\n@@ -4 +4 @@\n-\tfmt.Println("hello")\n+\tfmt.Println("goodbye")\n' },
    ],
    ['a bare hunk', { unified_diff: '@@ -4 +4 @@\n-\tfmt.Println("hello")\n+\tfmt.Println("goodbye")' }],
  ])('%s', async (_, args) => {
    const { result, after } = await edit(go, args)
    expect(result.failed).toBeUndefined()
    expect(after).toBe(go.replace('hello', 'goodbye'))
    expect(result.data).toMatchObject({ path: 'f', dry_run: false, added: 1, removed: 1 })
    expect(result.data?.diff).toBe(
      '--- a/f\n+++ b/f\n@@ -1,5 +1,5 @@\n package main\n \n func main() {\n-\tfmt.Println("hello")\n+\tfmt.Println("goodbye")\n }\n',
    )
    expect(result.text).toContain(result.data?.diff.trimEnd())
  })

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['none', {}, /nothing to change/],
    [
      'two',
      { old_str: 'a', new_str: 'b', edits: [{ old: 'a', new: 'b' }] },
      /edits and old_str are given together/,
    ],
    ['old_str alone', { old_str: 'a' }, /without new_str/],
    ['new_str alone', { new_str: 'a' }, /without old_str/],
    ['new_str with edits', { new_str: 'a', edits: [{ old: 'a', new: 'b' }] }, /new_str comes with edits/],
    [
      'replace_all with edits',
      { replace_all: true, edits: [{ old: 'a', new: 'b' }] },
      /replace_all comes with edits/,
    ],
    [
      'replace_all with a diff',
      { replace_all: true, unified_diff: '@@ @@\n-a\n+b\n' },
      /replace_all comes with unified_diff/,
    ],
  ])('rejects %s', async (_, args, words) => {
    const { result, after } = await edit('a\n', args)
    expect(result.failed?.code).toBe('bad_args')
    expect(result.failed?.message).toMatch(words)
    expect(after).toBe('a\n')
  })

  it.each([
    [{ edits: [] }, /edits/],
    [{ edits: [{ old: 'a' }] }, /edits\[0\]\.new/],
    [{ edits: [{ old: 'a', new: 'b', occurence: 1 }] }, /occurrence/],
    [{ edits: [{ old: 'a', new: 'b', occurrence: -1 }] }, /occurrence/],
    [{ old_str: 'a', new_str: 'b', match: 'fuzzy' }, /exact, tolerant/],
  ])('arguments %j', async (args, words) => {
    await expect(edit('a', args)).rejects.toThrow(words)
  })
})

describe('refusals write nothing', () => {
  it.each<[string, string | Uint8Array, Record<string, unknown>, string]>([
    [
      'the last of three edits fails',
      'a b c',
      {
        edits: [
          { old: 'a', new: '1' },
          { old: 'b', new: '2' },
          { old: 'z', new: '3' },
        ],
      },
      'old_not_found',
    ],
    ['ambiguous', 'x x', { old_str: 'x', new_str: 'y' }, 'ambiguous'],
    ['occurrence', 'x', { edits: [{ old: 'x', new: 'y', occurrence: 2 }] }, 'occurrence_out_of_range'],
    ['no change', 'x', { old_str: 'x', new_str: 'x' }, 'no_change'],
    ['no change by diff', 'x\n', { unified_diff: '@@ -1 +1 @@\n-x\n+x\n' }, 'no_change'],
    ['empty old text', 'x', { old_str: '', new_str: 'y' }, 'bad_args'],
    ['not a diff', 'x', { unified_diff: 'hello' }, 'bad_patch'],
    ['a hunk that does not fit', 'x\n', { unified_diff: '@@ -1 +1 @@\n-y\n+z\n' }, 'hunk_mismatch'],
    [
      'a binary diff',
      'x\n',
      { unified_diff: 'diff --git a/f b/f\nGIT binary patch\n' },
      'unsupported_binary_patch',
    ],
    ['a binary file', 'a\0b', { old_str: 'a', new_str: 'b' }, 'binary_or_encoding'],
    ['latin-1', Buffer.from('\xef', 'latin1'), { old_str: 'a', new_str: 'b' }, 'binary_or_encoding'],
    ['NUL written', 'x', { old_str: 'x', new_str: '\0' }, 'binary_or_encoding'],
    ['half a pair written', 'x', { old_str: 'x', new_str: '\ude00' }, 'binary_or_encoding'],
  ])('%s', async (_, content, args, code) => {
    const { result, after } = await edit(content, args)
    expect(result.failed?.code).toBe(code)
    expect(result.data).toBeNull()
    expect(after).toBe(Buffer.from(content as string).toString('utf8'))
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['missing', { path: 'none' }, 'file_missing'],
    ['a directory', { path: 'sub' }, 'is_directory'],
    ['below a file', { path: 'f/x' }, 'not_a_directory'],
    ['outside', { path: '../f' }, 'outside_workspace'],
    ['too large', { path: 'huge' }, 'too_large'],
  ])('%s', async (_, args, code) => {
    const dir = scratchWith({ f: 'x', 'sub/g': 'y', huge: '' })
    truncateSync(join(dir, 'huge'), 2 ** 31)
    const result = await call(editFile, { old_str: 'x', new_str: 'y', ...args }, ctxIn(dir, scratch()))
    expect(result.failed?.code).toBe(code)
  })

  it('shows which edit of several failed', async () => {
    const { result } = await edit('a b', {
      edits: [
        { old: 'a', new: 'x' },
        { old: 'q', new: 'y' },
      ],
    })
    expect(result.failed?.message).toMatch(/^edits\[1\]: /)
    expect(result.failed?.detail).toMatchObject({ edit: 'edits[1]' })
  })
})

describe('bytes', () => {
  it.each<[string, string, Record<string, unknown>, string]>([
    ['CRLF is kept', 'a\r\nb\r\n', { old_str: 'a\nb', new_str: 'a\nx\nb' }, 'a\r\nx\r\nb\r\n'],
    ['a byte order mark is kept', '\uFEFFa\n', { old_str: 'a', new_str: 'b' }, '\uFEFFb\n'],
    [
      'also by a diff that leaves it out',
      '\uFEFFa\nb\n',
      { unified_diff: '@@ -1,2 +1,2 @@\n-a\n+x\n b\n' },
      '\uFEFFx\nb\n',
    ],
    ['dollar signs are literal', 'a', { old_str: 'a', new_str: '$&$1$$' }, '$&$1$$'],
    ['no last line end is kept', 'a\nb', { old_str: 'b', new_str: 'c' }, 'a\nc'],
    ['lone CR is content', 'a\rb\n', { old_str: 'b', new_str: 'c' }, 'a\rc\n'],
  ])('%s', async (_, before, args, after) => {
    expect((await edit(before, args)).after).toBe(after)
  })

  it('keeps the mode, breaks hard links, and writes through symbolic links', async () => {
    const dir = scratchWith({ f: 'a' })
    chmodSync(join(dir, 'f'), 0o754)
    linkSync(join(dir, 'f'), join(dir, 'twin'))
    symlinkSync('f', join(dir, 'link'))
    await call(editFile, { path: 'link', old_str: 'a', new_str: 'b' }, ctxIn(dir, scratch()))
    expect(statSync(join(dir, 'f')).mode & 0o777).toBe(0o754)
    expect(harvest(dir)).toMatchObject({ 'f x': 'b', 'twin x': 'a' })
  })

  it.each(['new\nline', 'quo"te', '-rf', ' ', 'ünï🙂', 'a (deleted)'])('of a file named %j', async (name) => {
    const dir = scratchWith({ [name]: 'a\n' })
    const result = await call(editFile, { path: name, old_str: 'a', new_str: 'b' }, ctxIn(dir, scratch()))
    expect(result.failed).toBeUndefined()
    expect(harvest(dir)).toEqual({ [name]: 'b\n' })
  })
})

describe('stale_read', () => {
  const session = () => {
    const dir = scratchWith({ f: 'one\ntwo\n' })
    return { dir, ctx: ctxIn(dir, scratch()) }
  }
  const change = { path: 'f', old_str: 'one', new_str: '1' }

  it('rejects a file that changed after it was read', async () => {
    const { dir, ctx } = session()
    await call(read, { path: 'f', end_line: 1 }, ctx)
    const { atime, mtime } = statSync(join(dir, 'f'))
    writeFileSync(join(dir, 'f'), 'one\nTWO\n')
    utimesSync(join(dir, 'f'), atime, mtime)
    expect((await call(editFile, change, ctx)).failed).toMatchObject({
      code: 'stale_read',
      hint: expect.stringMatching(/[Rr]ead it again/),
    })
    await call(read, { path: 'f' }, ctx)
    expect((await call(editFile, change, ctx)).failed).toBeUndefined()
  })

  it('accepts a new time, its previous edits, and files that were never read', async () => {
    const { dir, ctx } = session()
    expect((await call(editFile, change, ctx)).failed).toBeUndefined()
    expect((await call(editFile, { path: 'f', old_str: '1', new_str: 'one' }, ctx)).failed).toBeUndefined()
    await call(read, { path: 'f' }, ctx)
    writeFileSync(join(dir, 'f'), 'one\ntwo\n')
    expect((await call(editFile, change, ctx)).failed).toBeUndefined()
  })

  it('rejects changes after the read part of a large file', async () => {
    const { dir, ctx } = session()
    const text = 'a line of text\n'.repeat(200_000)
    writeFileSync(join(dir, 'f'), `one\n${text}`)
    await untilOld(80, dir)
    await call(read, { path: 'f' }, ctx)
    expect((await call(editFile, change, ctx)).failed).toBeUndefined()
    await call(read, { path: 'f' }, ctx)
    writeFileSync(join(dir, 'f'), `1\n${text.slice(0, -2)}X\n`)
    expect((await call(editFile, { ...change, old_str: '1', new_str: '2' }, ctx)).failed?.code).toBe(
      'stale_read',
    )
  })
})

describe('tolerant', () => {
  it('reports how the text matched', async () => {
    const { result, after } = await edit('if a:\n        b()\n', {
      match: 'tolerant',
      old_str: 'if a:\n    b()',
      new_str: 'if a:\n    c()',
    })
    expect(result.failed?.code).toBeUndefined()
    expect(after).toBe('if a:\n        c()\n')
    expect(result.text).toContain('old_str matched only tolerantly (indentation)')
    expect(result.data?.edits).toEqual([{ name: 'old_str', line: 1, replacements: 1, match: 'indentation' }])
  })

  it.each([
    ['a\u00a0b', 'a b', 'quotes, dashes or spaces'],
    ['say \u201chi\u201d', 'say "hi"', 'quotes, dashes or spaces'],
    ['a \tb', 'a b', 'spaces and tabs'],
    ['a\u200bb', 'ab', 'characters that look alike'],
  ])('names the difference of %j and %j', async (before, old, difference) => {
    const { result } = await edit(`${before}\n`, { match: 'tolerant', old_str: old, new_str: 'x' })
    expect(result.text).toContain(`matched only tolerantly (${difference})`)
  })

  it('is off by default, and never accepts several matches', async () => {
    expect((await edit('a  b', { old_str: 'a b', new_str: 'x' })).result.failed?.code).toBe('old_not_found')
    const both = await edit('a  b\na   b\n', { match: 'tolerant', old_str: 'a b', new_str: 'x' })
    expect(both.result.failed?.code).toBe('ambiguous')
  })
})

it('shows the diff and writes nothing on dry_run', async () => {
  const { result, after } = await edit('a\n', { old_str: 'a', new_str: 'b', dry_run: true })
  expect(after).toBe('a\n')
  expect(result.text).toMatch(/^would change f: 1 replacement, \+1 -1\n--- a\/f/)
  expect(result.data).toMatchObject({ dry_run: true, diff: expect.stringContaining('+b') })
})

it('reports hunks that were found elsewhere', async () => {
  const { result } = await edit('new\nnew\na\nb\n', { unified_diff: '@@ -1,2 +1,2 @@\n a\n-b\n+c\n' })
  expect(result.text).toContain('hunk 1 went in at line 3, 2 lines below its number')
  expect(result.data?.hunks).toEqual([{ hunk: 1, line: 3, offset: 2, fuzz: 0, match: 'exact' }])
})

it('shows nothing of a file that may hold secrets before the call is allowed', async () => {
  const dir = scratchWith({ '.env': 'KEY=secret-value\n' })
  const ctx = ctxIn(dir, scratch())
  const args = {
    path: '.env',
    old_str: 'KEY=guess',
    new_str: 'x',
    replace_all: false,
    match: 'exact',
    dry_run: false,
  } as const
  const check = async () => (await refusalOf(async () => editFile.validate?.(args, ctx)))?.code
  expect(await check()).toBeUndefined()
  expect((await refusalOf(() => editFile.run(args, ctx)))?.code).toBe('old_not_found')
  await call(read, { path: '.env' }, ctx)
  expect(await check()).toBe('old_not_found')
})

const bom = '\uFEFF'

describe('notebooks', () => {
  const pumps = readFileSync(join(root, 'test/fixtures/papers/pump-noise.ipynb'), 'utf8')
  const editNotebook = async (content: string, old_str: string, new_str: string) => {
    const dir = scratchWith({ 'n.ipynb': content })
    const args = { path: 'n.ipynb', old_str, new_str }
    const { failed } = await call(editFile, args, ctxIn(dir, scratch()))
    return { code: failed?.code, after: readFileSync(join(dir, 'n.ipynb'), 'utf8') }
  }

  it.each([
    ['a cell without its comma', '    "\\n",\n', '    "\\n"\n'],
    ['an open quotation mark', '"cell_type": "markdown"', '"cell_type": "markdown'],
    ['no list of cells', '"cells": [', '"sheets": ['],
  ])('stay what they are: refuses %s', async (_, old, fresh) => {
    const at = pumps.indexOf(old)
    expect(at).toBeGreaterThan(0)
    // enough of the surroundings for one place alone
    const whole = pumps.slice(0, at + old.length)
    const { code, after } = await editNotebook(pumps, whole, pumps.slice(0, at) + fresh)
    expect([code, after]).toEqual(['bad_args', pumps])
  })

  it('accept changes of their text, and broken ones are repaired', async () => {
    const { code, after } = await editNotebook(pumps, 'village pumps', 'town pumps')
    expect([code, after]).toEqual([undefined, pumps.replace('village pumps', 'town pumps')])
    const broken = pumps.replace('"cells": [', '"cells": ')
    expect((await editNotebook(broken, '"cells": ', '"cells": [')).after).toBe(pumps)
    expect((await editNotebook(broken, 'village', 'town')).code).toBeUndefined()
  })
})

describe('a byte order mark', () => {
  const cases = [true, false].flatMap((inFile) =>
    [true, false].flatMap((inOld) => [true, false].map((inNew) => [inFile, inOld, inNew] as const)),
  )
  it.each(cases)('in the file %s, in old %s, in new %s', async (inFile, inOld, inNew) => {
    const mark = (there: boolean) => (there ? bom : '')
    const [old, fresh] = [`${mark(inOld)}first`, `${mark(inNew)}1st`]
    for (const args of [
      { old_str: old, new_str: fresh },
      { edits: [{ old, new: fresh }] },
      { old_str: old, new_str: fresh, match: 'tolerant' },
    ]) {
      const { result, after } = await edit(`${mark(inFile)}first\nsecond\n`, args)
      expect(result.failed).toBeUndefined()
      expect(after).toBe(`${mark(inFile)}1st\nsecond\n`)
    }
  })
})

describe('parameters of adapters only', () => {
  const edit = async (text: string, args: Record<string, unknown>) => {
    const dir = scratchWith({ f: text })
    const result = await call(editFile, { path: 'f', ...args }, ctxIn(dir, scratch()), 'adapter')
    return { after: harvest(dir).f, code: result.failed?.code, text: result.text }
  }

  it.each([
    ['on top', 'a\nb\n', { insert_line: 0, new_str: 'x' }, 'x\na\nb\n'],
    ['below a line', 'a\nb\n', { insert_line: 1, new_str: 'x\ny' }, 'a\nx\ny\nb\n'],
    ['at the end', 'a\nb', { insert_line: 2, new_str: 'x' }, 'a\nb\nx'],
    ['with the line ends there are', 'a\r\nb\r\n', { insert_line: 1, new_str: 'x\n' }, 'a\r\nx\r\nb\r\n'],
    ['into an empty file', '', { insert_line: 0, new_str: 'x\n' }, 'x\n'],
  ])('puts lines in %s', async (_, text, args, after) => {
    expect((await edit(text, args)).after).toBe(after)
  })

  it.each([
    [{ insert_line: 3, new_str: 'x' }, 'bad_args'],
    [{ insert_line: 1 }, 'bad_args'],
    [{ insert_line: 1, new_str: '' }, 'no_change'],
    [{ insert_line: 1, old_str: 'a', new_str: 'x' }, 'bad_args'],
  ])('rejects %j', async (args, code) => {
    expect(await edit('a\nb\n', args)).toMatchObject({ code, after: 'a\nb\n' })
  })

  it.each([
    [
      'quotes and line ends',
      'say("hi")\nbye',
      'say(\\"hi\\")\\nbye',
      'say(\\"yo\\")\\nbye',
      'say("yo")\nbye',
    ],
    ['a tab and a backslash', 'a\tb\\c', 'a\\tb\\\\c', 'd\\te', 'd\te'],
    ['what stands there escaped is left so', 'x = "a\\n"', 'x = "a\\n"', 'y = "b\\n"', 'y = "b\\n"'],
  ])('reads %s as they were meant', async (_, text, old_str, new_str, after) => {
    expect((await edit(text, { old_str, new_str, match: 'unescape' })).after).toBe(after)
  })

  it('reports that it read escapes, and reads them only on request', async () => {
    const args = { old_str: 'a\\nb', new_str: 'c' }
    expect((await edit('a\nb', { ...args, match: 'tolerant' })).code).toBe('old_not_found')
    expect((await edit('a\nb', { ...args, match: 'unescape' })).text).toContain('(escapes)')
    expect((await edit('a\nb\na\nb', { ...args, match: 'unescape' })).code).toBe('ambiguous')
  })
})
