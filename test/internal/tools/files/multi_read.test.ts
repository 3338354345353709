// The tool multi_read: banners in the given order, errors in their position, one limit for all.
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../../../internal/tool/catalog.ts'
import { toToolDescription as describeTool } from '../../../../internal/tool/describe.ts'
import { invoke } from '../../../../internal/tool/invoke.ts'
import type { Tool } from '../../../../internal/tool/tool.ts'
import { multiRead } from '../../../../internal/tools/files/multi_read.ts'
import { accessOf, call, ctxIn } from '../../../support/ctx.ts'
import { scratch, scratchWith } from '../../../support/scratch.ts'

const files = { a: 'one\ntwo\nthree\n', b: 'four\n', 'sub/c': 'five\n' }

async function readAll(args: Record<string, unknown>, more: Record<string, string> = {}) {
  return await call(multiRead, args, ctxIn(scratchWith({ ...files, ...more }), scratch()))
}

describe('multi_read', () => {
  it('shows each file under its banner, in the given order', async () => {
    const { text, data } = await readAll({ paths: ['sub/c', 'a', 'b'] })
    expect(text).toBe(
      '===== sub/c =====\n1\tfive\n\n===== a =====\n1\tone\n2\ttwo\n3\tthree\n\n===== b =====\n1\tfour',
    )
    expect(data).toMatchObject({
      truncated: false,
      files: [{ status: 'read', path: 'sub/c', total_lines: 1 }, { path: 'a' }, { path: 'b' }],
    })
  })

  it('applies one range to all', async () => {
    const pair = await readAll({ paths: ['a', 'b'], read_range: [2, 3] })
    expect(pair.text).toBe(
      '===== a =====\n2\ttwo\n3\tthree\n\n===== b =====\n[no line 2: the file has 1 line]',
    )
    const from = await readAll({ paths: ['a'], start_line: 3 })
    expect(from.text).toContain('3\tthree')
  })

  it('shows an error at its position and continues', async () => {
    const { text, data, failed } = await readAll({ paths: ['none', '../out', 'sub', 'b'] })
    expect(failed).toBeUndefined()
    expect(text).toMatch(/===== none =====\n\[error: not_found: none does not exist/)
    expect(text).toMatch(/===== \.\.\/out =====\n\[error: outside_workspace: /)
    expect(text).toMatch(/===== sub =====\n\[error: is_directory: .*glob/)
    expect(text).toContain('===== b =====\n1\tfour')
    expect(data?.files.map((file) => file.status)).toEqual(['error', 'error', 'error', 'read'])
  })

  it('stops at the limit, cuts the file at the limit and lists the rest', async () => {
    const { text, data } = await readAll({ paths: ['b', 'a', 'sub/c', 'b'], max_bytes: 12 })
    expect(text).toBe(
      '===== b =====\n1\tfour\n\n===== a =====\n1\tone\n[lines 1 to 1 of 3, max_bytes is 6; continue with start_line 2]\n\n[max_bytes 12 is used up; not read: sub/c, b]',
    )
    expect(data).toMatchObject({
      truncated: true,
      files: [
        { status: 'read' },
        { status: 'read', truncated: true },
        { status: 'skipped', path: 'sub/c' },
        { status: 'skipped' },
      ],
    })
  })

  it('applies the lines and bytes of read to every file', async () => {
    const { data } = await readAll(
      { paths: ['long', 'large'] },
      { long: 'x\n'.repeat(2000), large: `${'y'.repeat(99)}\n`.repeat(30_000) },
    )
    expect(data?.files).toMatchObject([
      { end_line: 1000, next_line: 1001 },
      { end_line: 1000, file_capped: true },
    ])
  })

  it('escapes unusual names so that they cannot imitate a banner', async () => {
    const name = 'x =====\n===== a'
    const { text } = await readAll({ paths: [name] }, { [name]: 'z\n' })
    expect(text).toBe('===== "x =====\\n===== a" =====\n1\tz')
  })

  it('accepts one path to ten', async () => {
    await expect(readAll({ paths: [] })).rejects.toThrow(/paths must have at least 1 item/)
    const many = await readAll({ paths: Array.from({ length: 11 }, () => 'a') })
    expect(many.failed?.message).toBe('paths must have at most 10 items')
    const { data } = await readAll({ paths: Array.from({ length: 10 }, () => 'a') })
    expect(data?.files).toHaveLength(10)
  })

  it('rejects a range that ends before it starts', async () => {
    expect((await readAll({ paths: ['a'], start_line: 3, end_line: 1 })).failed?.code).toBe('bad_args')
  })

  it('passes every path to the rules', () => {
    expect(accessOf(multiRead, { paths: ['x', 'y'], max_bytes: 1 }).scope).toEqual([
      { kind: 'path', path: 'x', access: 'read' },
      { kind: 'path', path: 'y', access: 'read' },
    ])
  })

  it('fails only for paths outside, and shows nothing of denied files', async () => {
    const dir = scratchWith({ ...files, '.env': 'SECRET=1\n', 'deny/x': 'hidden\n' })
    const outside = scratchWith({ out: 'outside\n' })
    const base = ctxIn(dir, scratch())
    const go = (paths: string[], over: object = {}) =>
      invoke(
        createCatalog([
          {
            ...describeTool(multiRead, 'native'),
            load: async () => multiRead as unknown as Tool,
            hidden: undefined,
          },
        ]),
        { ...base, ...over },
        {
          name: 'multi_read',
          args: { paths },
        },
      )
    for (const path of [`${outside}/out`, '../out', '/etc/passwd']) {
      const { failed, text, data } = await go([path, 'b'])
      expect(failed).toBeUndefined()
      expect(text).toContain(`===== ${path} =====\n[error: outside_workspace: `)
      expect(text).toContain('===== b =====\n1\tfour')
      expect(text).not.toMatch(/outside\n|root:/)
      expect(data).toMatchObject({ files: [{ status: 'error' }, { status: 'read' }] })
      expect((await go([path])).failed?.code).toBe('outside_workspace')
    }
    // without a user a call with a secret among its paths shows nothing, for paths outside or inside
    for (const paths of [
      ['.env', 'b'],
      ['../out', '.env', 'b'],
    ]) {
      const { failed, text } = await go(paths)
      expect(failed?.code).toBe('sensitive_path')
      expect(text).not.toMatch(/SECRET|four/)
    }
  })

  it('never opens a path that was outside when the call was decided', async () => {
    const dir = scratchWith({ ...files, '.env': 'SECRET=1\n' })
    const ctx = ctxIn(dir, scratch())
    const args = { paths: ['link', 'b'], max_bytes: 4_194_304 }
    symlinkSync('/etc/passwd', join(dir, 'link'))
    expect(accessOf(multiRead, args, ctx).scope).toEqual([{ kind: 'path', path: 'b', access: 'read' }])
    rmSync(join(dir, 'link'))
    symlinkSync('.env', join(dir, 'link'))
    const { text } = await multiRead.run(args, ctx)
    expect(text).toContain('[error: outside_workspace')
    expect(text).not.toContain('SECRET')
  })

  it.each([1, 2, 3])('applies the limit of read to each file: %i large ones', async (count) => {
    const line = `${'z'.repeat(9)}\n`
    const paths = Array.from({ length: count }, (_, i) => `big${i}`)
    const more = Object.fromEntries(paths.map((path) => [path, line.repeat(200_000)]))
    const { data } = await readAll({ paths: [...paths, 'b'], end_line: 300_000 }, more)
    const shown = data?.files as { status: string; bytes?: number }[]
    for (const file of shown) if (file.bytes !== undefined) expect(file.bytes).toBeLessThanOrEqual(2_097_152)
    expect(shown[0]?.status).toBe('read')
    expect(shown.reduce((sum, { bytes = 0 }) => sum + bytes, 0)).toBeLessThanOrEqual(4_194_304)
    if (count === 1) expect(shown[1]?.status).toBe('read')
  })
})

it('an adapter may read many files at once, without banners', async () => {
  const files = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`f${i}`, `${i}\n`]))
  const ctx = ctxIn(scratchWith(files), scratch())
  const paths = ['gone', ...Object.keys(files)]
  const { text, failed } = await call(multiRead, { paths, numbers: false, bulk: true }, ctx, 'adapter')
  expect(failed).toBeUndefined()
  expect(text).toMatch(/^==> gone <==\n\[error: not_found: .*\]\n\n==> f0 <==\n0\n\n==> f1 <==\n1\n/)
  expect((await call(multiRead, { paths }, ctx)).failed?.code).toBe('bad_args')
})
