// The tool multi_read: banners in the given order, errors in their place, one ceiling for all.
import { describe, expect, it } from 'vitest'
import { multiRead } from '../../../internal/tools/multi_read.ts'
import { call, ctxIn } from '../../support/ctx.ts'
import { scratch, scratchWith } from '../../support/scratch.ts'

const files = { a: 'one\ntwo\nthree\n', b: 'four\n', 'sub/c': 'five\n' }

async function readAll(args: Record<string, unknown>, more: Record<string, string> = {}) {
  return await call(multiRead, args, ctxIn(scratchWith({ ...files, ...more }), scratch()))
}

describe('multi_read', () => {
  it('shows each file under its banner, in the order given', async () => {
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

  it('puts an error in its place and goes on', async () => {
    const { text, data, failed } = await readAll({ paths: ['none', '../out', 'sub', 'b'] })
    expect(failed).toBeUndefined()
    expect(text).toMatch(/===== none =====\n\[error: not_found: none does not exist/)
    expect(text).toMatch(/===== \.\.\/out =====\n\[error: outside_workspace: /)
    expect(text).toMatch(/===== sub =====\n\[error: is_directory: .*glob/)
    expect(text).toContain('===== b =====\n1\tfour')
    expect(data?.files.map((file) => file.status)).toEqual(['error', 'error', 'error', 'read'])
  })

  it('stops at the ceiling, cuts the file it falls in and names the rest', async () => {
    const { text, data } = await readAll({ paths: ['b', 'a', 'sub/c', 'b'], max_bytes: 12 })
    expect(text).toBe(
      '===== b =====\n1\tfour\n\n===== a =====\n1\tone\n[lines 1 to 1 of 3, max_bytes is 6; continue with start_line 2, end_line 1001]\n\n[max_bytes 12 is used up; not read: sub/c, b]',
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

  it('holds every file to the lines and bytes of read', async () => {
    const { data } = await readAll(
      { paths: ['long', 'large'] },
      { long: 'x\n'.repeat(2000), large: `${'y'.repeat(99)}\n`.repeat(30_000) },
    )
    expect(data?.files).toMatchObject([
      { end_line: 1000, next_line: 1001 },
      { end_line: 1000, file_capped: true },
    ])
  })

  it('shows odd names so that they cannot be taken for a banner', async () => {
    const name = 'x =====\n===== a'
    const { text } = await readAll({ paths: [name] }, { [name]: 'z\n' })
    expect(text).toBe('===== "x =====\\n===== a" =====\n1\tz')
  })

  it('takes one path to ten', async () => {
    await expect(readAll({ paths: [] })).rejects.toThrow(/paths must have at least 1 item/)
    await expect(readAll({ paths: Array.from({ length: 11 }, () => 'a') })).rejects.toThrow(
      /paths must have at most 10 items/,
    )
    const { data } = await readAll({ paths: Array.from({ length: 10 }, () => 'a') })
    expect(data?.files).toHaveLength(10)
  })

  it('refuses a range that ends before it starts', async () => {
    expect((await readAll({ paths: ['a'], start_line: 3, end_line: 1 })).failed?.code).toBe('bad_args')
  })

  it('tells rules every path it reads', () => {
    expect(multiRead.scope?.({ paths: ['x', 'y'], max_bytes: 1 })).toEqual([
      { kind: 'path', path: 'x', access: 'read' },
      { kind: 'path', path: 'y', access: 'read' },
    ])
  })
})
