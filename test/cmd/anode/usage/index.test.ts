// The table of `anode usage` on terminals of every width: the title of a thread is below its own row.
import { expect, test } from 'vitest'
import { drawGroups } from '../../../../cmd/anode/usage/index.ts'
import { countCells } from '../../../../internal/render/text/cell-width.ts'

const usage = {
  requests: 12,
  fresh: 45_210,
  cacheRead: 1_900_000,
  cacheWrite: 120_400,
  output: 9_800,
  usd: 1.25,
  unpriced: 3,
  estimated: 0,
}
const titles = [
  'Alpha: repair the parser of numbers',
  '',
  '一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十',
  `Delta ${'with many more words '.repeat(8)}`,
  null,
]
const groups = titles.map((title, i) => ({ ...usage, key: `sess_0${i}mfr8kq2a7d1x9w`, title }))

test.each(Array.from({ length: 91 }, (_, i) => 30 + i))('at %i columns', async (columns) => {
  const stdout = { isTTY: true, columns } as Parameters<typeof drawGroups>[3]['stdout']
  const drawn = await drawGroups('thread', groups, usage, { stdout })
  const lines = drawn.trimEnd().split('\n')
  for (const line of lines) expect(countCells(line), line).toBeLessThanOrEqual(columns)

  const rowAt = (i: number) => lines.findIndex((line) => line.startsWith(`sess_0${i}`.slice(0, 7)))
  const ends = [...titles.keys()].slice(1).map(rowAt)
  ends.push(lines.findIndex((line) => line.startsWith('total')))
  for (const [i, end] of ends.entries()) {
    const block = lines.slice(rowAt(i), end)
    const start = (titles[i] ?? '').slice(0, 5)
    expect(block.length, `row ${i}`).toBeGreaterThan(0)
    if (start !== '') expect(block.at(-1), `row ${i}`).toMatch(new RegExp(`^  ${start}`))
    const others = titles.filter((title, at) => title && at !== i).map((title) => title?.slice(0, 5))
    expect(others.filter((other) => block.join('\n').includes(other ?? ''))).toEqual([])
  }
})

test('in a pipe, the title is at the end of its row', async () => {
  const stdout = { isTTY: false } as Parameters<typeof drawGroups>[3]['stdout']
  const lines = (await drawGroups('thread', groups, usage, { stdout })).trimEnd().split('\n')
  expect(lines).toHaveLength(groups.length + 2)
  for (const [i, title] of titles.entries()) expect(lines[i + 1]).toContain(title?.trim() ?? '')
})
