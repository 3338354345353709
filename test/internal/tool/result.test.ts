// The size limit for structured results of calls: data of any shape is cut, and marked as cut.
import { expect, test } from 'vitest'
import { boundData } from '../../../internal/tool/result.ts'

test.each([[{ render_spec: { root: 'a' } }], [[1, 2, 3]], ['text'], [0], [false]])(
  '%j is unchanged',
  (data) => {
    expect(boundData(data)).toEqual({ data })
  },
)

test('drops missing data', () => {
  expect(boundData(null)).toEqual({})
  expect(boundData(undefined)).toEqual({})
})

const large: unknown[] = [
  { text: 'x'.repeat(1_000_000) },
  { rows: Array.from({ length: 100_000 }, (_, i) => ({ i })) },
  Array.from({ length: 50_000 }, () => 'row'),
  Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`key${i}`, i])),
  { deep: JSON.parse(`${'['.repeat(400)}"${'x'.repeat(100_000)}"${']'.repeat(400)}`) },
  { pairs: '😀'.repeat(100_000) },
  { many: Array.from({ length: 100 }, () => 'y'.repeat(2_000)) },
]
test.each(large.map((data, i) => [i, data] as const))('cuts the large data of row %i', (_i, data) => {
  const { data: cut, data_cut: isCut } = boundData(data)
  expect(isCut).toBe(true)
  const text = JSON.stringify(cut) ?? ''
  expect(text.length).toBeLessThan(80_000)
  expect(text.isWellFormed()).toBe(true)
})
