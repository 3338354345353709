import { expect, it } from 'vitest'
import { reportStyle } from '../../../../internal/study/report/style.ts'

it('loads nothing and cannot end its element', () => {
  expect(reportStyle).not.toMatch(/url\(|@import|<\//)
  expect(reportStyle).toMatch(/@media print/)
  expect(reportStyle.split('{').length).toBe(reportStyle.split('}').length)
})
