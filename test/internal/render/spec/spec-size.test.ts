// The size of a spec, with and without its bulk.
import { expect, test } from 'vitest'
import { sizeOf } from '../../../../internal/render/spec/spec-size.ts'

test('the size is close to the length of the JSON', () => {
  const spec = { root: 'a', elements: { a: { type: 'Text', props: { text: 'é漢 "q"', n: 12.5, b: null } } } }
  const bytes = Buffer.byteLength(JSON.stringify(spec))
  expect(Math.abs(sizeOf(spec).total - bytes)).toBeLessThan(bytes / 4)
})

test('the contents of rows, data and items count only for the total size', () => {
  const large = 'x'.repeat(1000)
  for (const key of ['rows', 'data', 'items']) {
    const { total, core } = sizeOf({ props: { [key]: [{ a: large }, [large]] } })
    expect(total).toBeGreaterThan(2000)
    expect(core).toBeLessThan(50)
  }
  expect(sizeOf({ props: { text: large } }).core).toBeGreaterThan(1000)
})

test('measures nesting of any depth', () => {
  let deep: unknown = 1
  for (let i = 0; i < 100_000; i++) deep = [deep]
  expect(sizeOf(deep).depth).toBe(100_000)
})
