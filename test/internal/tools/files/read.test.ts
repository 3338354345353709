// The tool read: what a model sees, what a program gets, and every way to be refused.
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read } from '../../../../internal/tools/files/read.ts'
import { accessOf, call, ctxIn } from '../../../support/ctx.ts'
import { scratch, scratchWith } from '../../../support/scratch.ts'

const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join('')

async function readIn(files: Record<string, string | Uint8Array>, args: Record<string, unknown>) {
  const dir = scratchWith(files)
  return await call(read, args, ctxIn(dir, scratch()))
}

describe('ranges', () => {
  it.each<[string, Record<string, unknown>, string | RegExp, Record<string, unknown>]>([
    [
      'all',
      {},
      '1\tline 1\n2\tline 2\n3\tline 3\n4\tline 4\n5\tline 5',
      {
        start_line: 1,
        end_line: 5,
        total_lines: 5,
        next_line: null,
        truncated: false,
        file_capped: false,
        size: 35,
        bytes: 44,
      },
    ],
    [
      'both ends',
      { start_line: 2, end_line: 3 },
      '2\tline 2\n3\tline 3',
      { start_line: 2, end_line: 3, next_line: null },
    ],
    ['from a line on', { start_line: 4 }, '4\tline 4\n5\tline 5', { end_line: 5 }],
    ['up to a line', { end_line: 1 }, '1\tline 1', { end_line: 1 }],
    ['past the end', { start_line: 5, end_line: 99 }, '5\tline 5', { end_line: 5, next_line: null }],
    ['a pair', { read_range: [2, 2] }, '2\tline 2', { start_line: 2 }],
    ['an open pair', { read_range: [4] }, '4\tline 4\n5\tline 5', { start_line: 4, end_line: 5 }],
    ['a pair before the others', { read_range: [1, 1], start_line: 3, end_line: 2 }, '1\tline 1', {}],
    ['numbers as text', { start_line: '2', end_line: '2' }, '2\tline 2', {}],
    [
      'nothing there',
      { start_line: 6 },
      '[no line 6: the file has 5 lines]',
      { start_line: 6, end_line: 5, total_lines: 5, bytes: 0 },
    ],
    [
      'few bytes',
      { max_bytes: 17 },
      '1\tline 1\n2\tline 2\n[lines 1 to 2 of 5, max_bytes is 17; continue with start_line 3]',
      { truncated: true, next_line: 3, bytes: 17 },
    ],
    [
      'less than a line',
      { max_bytes: 4 },
      '1\tli\n[line 1 is cut: max_bytes is 4]\n[lines 1 to 1 of 5; continue with start_line 2]',
      { truncated: true, next_line: 2 },
    ],
  ])('%s', async (_, args, text, data) => {
    const result = await readIn({ f: lines(5) }, { path: 'f', ...args })
    expect(result.failed).toBeUndefined()
    expect(result.text).toBe(text)
    expect(result.data).toMatchObject({ path: 'f', ...data })
  })

  it('shows a thousand lines and how to continue', async () => {
    const result = await readIn({ f: lines(2500) }, { path: 'f' })
    const shown = result.text.split('\n')
    expect(shown).toHaveLength(1001)
    expect(shown.at(-1)).toBe('[lines 1 to 1000 of 2500; continue with start_line 1001, end_line 2000]')
    expect(result.data).toMatchObject({
      end_line: 1000,
      next_line: 1001,
      total_lines: 2500,
      truncated: false,
    })
  })

  it('shows more than a thousand when they are asked for', async () => {
    const result = await readIn({ f: lines(2500) }, { path: 'f', start_line: 2 })
    expect(result.data).toMatchObject({ start_line: 2, end_line: 2500, next_line: null })
  })
})

describe('content', () => {
  it.each<[string, string | Uint8Array, string, Record<string, unknown>]>([
    ['empty', '', '[the file is empty]', { total_lines: 0, line_ends: 'none' }],
    ['CRLF', 'a\r\nb\r\n', '1\ta\n2\tb', { line_ends: 'crlf', bom: false }],
    ['mixed line ends', 'a\r\nb\nc', '1\ta\n2\tb\n3\tc', { line_ends: 'mixed' }],
    ['a byte order mark', '\uFEFFa\n', '1\ta', { bom: true, line_ends: 'lf' }],
    ['other letters', 'naïve 日本語 🙂\n', '1\tnaïve 日本語 🙂', {}],
    ['control characters', 'a\x1b[31mb\x07\n', '1\ta\x1b[31mb\x07', {}],
    ['no last line end', 'a', '1\ta', { line_ends: 'none', total_lines: 1 }],
  ])('%s', async (_, content, text, data) => {
    const result = await readIn({ f: content }, { path: 'f' })
    expect(result.text).toBe(text)
    expect(result.data).toMatchObject(data)
  })

  it.each(['new\nline', 'quo"te', '-rf', ' ', '~tilde', 'ünï', '🙂', '$HOME', '*', 'a:b'])(
    'of a file named %j',
    async (name) => {
      expect((await readIn({ [name]: 'x\n' }, { path: name })).text).toBe('1\tx')
    },
  )
})

describe('refusals', () => {
  it.each<[string, Record<string, unknown>, string, RegExp]>([
    ['nothing there', { path: 'sub/reed.ts' }, 'not_found', /sub\/reed\.ts does not exist\n.*read\.ts/],
    ['a directory', { path: 'sub' }, 'is_directory', /glob/],
    ['a file as directory', { path: 'sub/read.ts/x' }, 'not_a_directory', /not a directory/],
    ['an image', { path: 'image.png' }, 'binary_or_encoding', /an image\n.*look_at/],
    ['an image without the name', { path: 'hidden' }, 'binary_or_encoding', /look_at/],
    ['a PDF', { path: 'paper.pdf' }, 'binary_or_encoding', /a PDF\n.*look_at/],
    ['NUL bytes', { path: 'binary' }, 'binary_or_encoding', /NUL/],
    ['a torn UTF-16', { path: 'wide' }, 'binary_or_encoding', /not valid UTF-16/],
    ['a pipe', { path: 'pipe' }, 'io', /named pipe/],
    ['outside', { path: '../x' }, 'outside_workspace', /outside/],
    ['a link to the outside', { path: 'out' }, 'outside_workspace', /outside/],
    ['a NUL byte in the path', { path: 'a\0b' }, 'bad_args', /NUL/],
    [
      'ends before it starts',
      { path: 'sub/read.ts', start_line: 3, end_line: 2 },
      'bad_args',
      /end_line 2 with start_line 3/,
    ],
    [
      'a pair that ends before it starts',
      { path: 'sub/read.ts', read_range: [3, 2] },
      'bad_args',
      /read_range \[3, 2\]/,
    ],
  ])('%s', async (_, args, code, words) => {
    const dir = scratchWith({
      'sub/read.ts': 'x\n',
      'image.png': Buffer.from('89504e470d0a1a0a0000000d', 'hex'),
      hidden: Buffer.from('89504e470d0a1a0a0000000d', 'hex'),
      'paper.pdf': '%PDF-1.4\n',
      binary: 'a\0b',
      wide: Buffer.from('fffe00d80000', 'hex'),
    })
    execFileSync('mkfifo', [join(dir, 'pipe')])
    symlinkSync('/etc/hostname', join(dir, 'out'))
    const ctx = ctxIn(dir, scratch())
    const result = await call(read, { max_bytes: 1e6, ...args }, ctx)
    expect(result.failed?.code).toBe(code)
    expect(result.text).toMatch(words)
    expect(ctx.seen?.size).toBe(0)
  })

  it.each([
    [{ path: '' }, /path/],
    [{ path: 'f', start_line: 0 }, /start_line/],
    [{ path: 'f', read_range: [] }, /read_range/],
    [{ path: 'f', read_range: [1, 2, 3] }, /read_range/],
    [{ path: 'f', read_range: [0] }, /read_range/],
    [{ path: 'f', max_bytes: 0 }, /max_bytes/],
    [{ path: 'f', offset: 3 }, /offset/],
  ])('arguments %j', async (args, words) => {
    await expect(readIn({ f: 'x' }, args)).rejects.toThrow(words)
  })
})

describe('large files', () => {
  it('reads only the first 2 MiB of a file of 2 GiB', async () => {
    const dir = scratch()
    const fd = openSync(join(dir, 'huge'), 'w')
    writeSync(fd, lines(400_000))
    ftruncateSync(fd, 2 ** 31)
    closeSync(fd)
    const before = process.memoryUsage()
    const result = await call(read, { path: 'huge' }, ctxIn(dir, scratch()))
    const after = process.memoryUsage()
    expect(result.data).toMatchObject({
      file_capped: true,
      truncated: true,
      total_lines: null,
      next_line: 1001,
      size: 2 ** 31,
    })
    expect(result.text).toContain('[lines 1 to 1000; continue with start_line 1001')
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(8 << 20)
    expect(after.heapUsed - before.heapUsed).toBeLessThan(32 << 20)
  })

  it('reports where the readable part ends, also in the middle of a character', async () => {
    const text = `${'é'.repeat(500)}\n`.repeat(4000)
    const result = await readIn({ f: text }, { path: 'f', start_line: 2094 })
    expect(result.data).toMatchObject({
      file_capped: true,
      truncated: true,
      next_line: null,
      size: 4_004_000,
    })
    expect(result.text).toContain('only its first 2 MiB, lines 1 to 2096 with the last one possibly cut')
    expect(result.text).not.toContain('\uFFFD')
    const past = await readIn({ f: text }, { path: 'f', start_line: 3000 })
    expect(past.text).toMatch(
      /^\[no line 3000: the readable part has 2096 lines\]\n\[the file has 4004000 bytes/,
    )
  })

  it('cuts a huge line at max_bytes', async () => {
    const result = await readIn({ f: '日'.repeat(600_000) }, { path: 'f', max_bytes: 100 })
    expect(Buffer.byteLength(result.text.split('\n')[0] as string)).toBeLessThanOrEqual(100)
    expect(result.data).toMatchObject({ truncated: true, bytes: 98, next_line: null })
  })
})

it('reads the approved file, not through a link that was created later', async () => {
  const dir = scratchWith({ 'in/f': 'mine\n' })
  const other = scratchWith({ f: 'theirs\n' })
  const ctx = ctxIn(dir, scratch())
  expect((await call(read, { path: 'in/f' }, ctx)).text).toBe('1\tmine')
  renameSync(join(dir, 'in'), join(dir, 'was'))
  symlinkSync(other, join(dir, 'in'))
  expect((await call(read, { path: 'in/f' }, ctx)).failed?.code).toBe('outside_workspace')
})

it('follows links inside of the workspace and shows their target', async () => {
  const dir = scratchWith({ 'real/f': 'x\n' })
  symlinkSync('real', join(dir, 'link'))
  mkdirSync(join(dir, 'sub'))
  const ctx = ctxIn(join(dir, 'sub'), scratch(), { policy: { ...ctxIn(dir, '').policy } })
  const result = await call(read, { path: '../link/f' }, ctx)
  expect(result).toMatchObject({ text: '1\tx', data: { path: 'real/f' } })
  writeFileSync(join(dir, 'real/f'), 'y\n')
  expect([...(ctx.seen?.keys() ?? [])]).toEqual([join(dir, 'real/f')])
})

it('passes the path that it reads to the rules', () => {
  expect(accessOf(read, { path: 'x', start_line: 1, max_bytes: 1 }).scope).toEqual([
    { kind: 'path', path: 'x', access: 'read' },
  ])
})

it.each([
  ['a\nb\n', {}, 'a\nb'],
  ['a\tb\n12\tc\n', {}, 'a\tb\n12\tc'],
  ['one\r12\ttwo\u20283\tx', {}, 'one\r12\ttwo\u20283\tx'],
  ['1\n2\n3\n', { read_range: [2, 2] }, '2'],
  ['', {}, ''],
  ['a', { start_line: 5 }, ''],
])('a single call for a program gets the plain text of %j with %j', async (text, args, content) => {
  const ctx = ctxIn(scratchWith({ f: text }), scratch())
  const alone = await call(read, { path: 'f', ...args }, { ...ctx, seen: undefined })
  expect(alone.data).toMatchObject({ content })
  // an agent's record does not hold everything twice
  expect((await call(read, { path: 'f', ...args }, ctx)).data).not.toHaveProperty('content')
})

describe('lines without numbers, for adapters', () => {
  const show = (args: Record<string, unknown>, text = '1\n2\n3\n4\n') =>
    call(read, { path: 'f', numbers: false, ...args }, ctxIn(scratchWith({ f: text }), scratch()), 'adapter')

  it.each([
    ['a whole file', {}, '1\n2\n3\n4'],
    ['a part', { start_line: 2, end_line: 3 }, '[lines 2-3 of 4]\n2\n3'],
    ['a part to the end', { start_line: 3 }, '[lines 3-4 of 4]\n3\n4'],
    ['past the end', { start_line: 9 }, '[no line 9 of 4]'],
    ['at most so many', { max_lines: 2 }, '[lines 1-2 of 4]\n1\n2'],
  ])('%s', async (_, args, text) => {
    expect((await show(args)).text).toBe(text)
  })

  it('reports an empty file, and returns the plain lines to adapters', async () => {
    expect((await show({}, '')).text).toBe('[empty file]')
    expect((await show({ start_line: 2 })).raw).toEqual({ content: '2\n3\n4' })
    expect((await show({ numbers: true, start_line: 4 })).raw).toEqual({ content: '4' })
  })

  it('has no limit of lines if max_lines is 0', async () => {
    const many = Array.from({ length: 1500 }, (_, i) => `l${i}`).join('\n')
    expect((await show({ max_lines: 0 }, many)).text).toBe(many)
    expect((await show({}, many)).text).toMatch(/^\[lines 1-1000 of 1500\]\nl0\n/)
  })

  it('refuses text that is full of control characters on demand', async () => {
    const text = `${'\x01'.repeat(11)}${'a'.repeat(89)}`
    expect((await show({ refuse_control: true }, text)).failed?.code).toBe('binary_or_encoding')
    expect(
      (await show({ refuse_control: true }, `${'\x01'.repeat(10)}${'a'.repeat(90)}`)).failed,
    ).toBeUndefined()
    expect((await show({}, text)).failed).toBeUndefined()
  })
})
