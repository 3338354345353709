// Which lines a call asks for, and that several files are read side by side.
import { expect, it } from 'vitest'
import { defaultLines, parseLineRange, viewFile } from '../../../internal/tool-support/file-view.ts'
import { ctxIn } from '../../support/ctx.ts'
import { refusalOf } from '../../support/refusal.ts'
import { choice, rng } from '../../support/rng.ts'
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

it.each([
  [5, '[lines 1-2 of 3]\nab\ncd'],
  [4, '[lines 1-2 of 3; line 2 is cut]\nab\nc'],
])('names a cut line only if a part of it is missing, after %i characters', async (max_chars, text) => {
  const ctx = ctxIn(scratchWith({ f: 'ab\ncd\nef' }), scratch())
  const view = await viewFile(ctx, 'f', { max_bytes: 100, numbers: false, max_chars })
  expect(view.text).toBe(text)
})

it('reports for every size and offset whether something is missing, and where to continue', async () => {
  const random = rng(3)
  const pick = (most: number) => 1 + Math.floor(random() * most)
  const text = Array.from({ length: 12 }, () =>
    choice(random, ['', 'a', 'bcd', '日本😀', 'x'.repeat(30)]),
  ).join('\n')
  const lines = text.split('\n').concat('end')
  const ctx = ctxIn(scratchWith({ f: lines.join('\n') }), scratch())
  for (let i = 0; i < 600; i++) {
    const start = pick(14)
    const end = choice(random, [undefined, start + pick(6) - 1])
    const numbers = random() < 0.5
    const window = { start_line: start, end_line: end, numbers, max_bytes: pick(90), max_chars: pick(40) }
    const { data, content } = await viewFile(ctx, 'f', window)
    const wanted = lines.slice(start - 1, end)
    const shown = numbers ? content.replace(/\uFFFD+$/, '') : content
    const isWhole = shown === wanted.join('\n')
    expect([window, data.truncated]).toEqual([window, !isWhole])
    const { next_line: next } = data
    if (next === null) continue
    expect([window, next > start || shown !== wanted[0]]).toEqual([window, true])
    expect([window, next <= Math.min(end ?? lines.length, lines.length)]).toEqual([window, true])
    const complete = lines.slice(start - 1, Math.max(start - 1, next - 1 - (shown.endsWith('\n') ? 0 : 1)))
    expect([window, shown.startsWith(complete.join('\n'))]).toEqual([window, true])
  }
})
