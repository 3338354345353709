// Which lines a call asks for, and that several files are read side by side.
import { expect, it } from 'vitest'
import { defaultLines, parseLineRange, viewFile } from '../../../internal/tool-support/file-view.ts'
import { ctxIn } from '../../support/ctx.ts'
import { refusalOf } from '../../support/refusal.ts'
import { scratch, scratchWith } from '../../support/scratch.ts'

const end = Number.POSITIVE_INFINITY

it.each([
  [{}, { start: 1, end: defaultLines, usual: true }],
  [{ start_line: 1 }, { start: 1, end: defaultLines, usual: true }],
  [{ start_line: 2 }, { start: 2, end, usual: false }],
  [{ end_line: 5000 }, { start: 1, end: 5000, usual: false }],
  [{ read_range: [1] }, { start: 1, end, usual: false }],
  [
    { read_range: [3, 4], start_line: 9, end_line: 1 },
    { start: 3, end: 4, usual: false },
  ],
])('%j', (window, range) => {
  expect(parseLineRange({ max_bytes: 1, ...window })).toEqual(range)
})

it('remembers the files that it has read, in full or in part', async () => {
  const dir = scratchWith({ small: 'x\n', large: 'y'.repeat(3_000_000) })
  const ctx = ctxIn(dir, scratch())
  const views = await Promise.all(
    ['small', 'large'].map((path) => viewFile(ctx, path, { max_bytes: 100, read_range: [1, 1] })),
  )
  expect(views.map(({ cut }) => cut)).toEqual([false, true])
  expect(await refusalOf(() => viewFile(ctx, 'none', { max_bytes: 100 }))).toMatchObject({
    code: 'not_found',
    hint: 'Find it with glob or finder.',
  })
  expect([...(ctx.seen?.values() ?? [])].map((value) => value.startsWith('stat:')).sort()).toEqual([
    false,
    true,
  ])
})
