import { expect, it } from 'vitest'
import { style } from '../../../../internal/study/report/style.ts'

it('loads nothing and cannot end its element', () => {
  expect(style).not.toMatch(/url\(|@import|<\//)
  expect(style).toMatch(/@media print/)
  expect(style.split('{').length).toBe(style.split('}').length)
})
