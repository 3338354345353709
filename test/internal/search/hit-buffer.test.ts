// The buffer of matches: its output does not depend on the order of files, and its memory is limited.
import { expect, test } from 'vitest'
import { createHitBuffer, type FileHits } from '../../../internal/search/hit-buffer.ts'
import { random } from '../../support/search.ts'

const file = (name: string, lines: number, matches = lines): FileHits => ({
  name,
  lines: Array.from({ length: lines }, (_, i) => ({ line: i + 1, match: true, text: 'x'.repeat(20) })),
  matches,
})

test('any order of arrival gives the same output', () => {
  const next = random(3)
  const files = Array.from({ length: 300 }, (_, i) => file(`f${String(i).padStart(3, '0')}`, 1 + (i % 4)))
  const shown = (list: FileHits[]) => {
    const kept = createHitBuffer(2_000, 50)
    for (const hits of list) {
      if (kept.beyond(hits.name)) kept.drop(hits.matches)
      else kept.add(hits)
    }
    return kept.end()
  }
  const expected = shown(files)
  expect(expected.files.length).toBeGreaterThan(10)
  for (let i = 0; i < 20; i++) {
    const mixed = files.map((one) => ({ one, key: next() })).sort((a, b) => a.key - b.key)
    expect(shown(mixed.map(({ one }) => one))).toEqual(expected)
  }
  const all = files.reduce((sum, one) => sum + one.matches, 0)
  const visible = expected.files.reduce((sum, one) => sum + one.lines.length, 0)
  expect(visible + expected.left.matches).toBe(all)
  expect(expected.files.length + expected.left.files).toBe(files.length)
})

test('cuts a file at a line, and counts the lost matches', () => {
  const kept = createHitBuffer(100, 50)
  kept.add(file('a', 10))
  const { files, left, bytes } = kept.end()
  expect(files[0]?.lines).toHaveLength(4)
  expect(left).toEqual({ files: 0, matches: 6, more: false })
  expect(bytes).toBeLessThanOrEqual(100)
})

test('marks counts that are only lower bounds', () => {
  const kept = createHitBuffer(30, 3)
  kept.add(file('a', 1))
  kept.add(file('b', 3, 4))
  expect(kept.end().left).toEqual({ files: 1, matches: 4, more: true })
})
