// The pages of the manual, and the search for a page by name.
import { expect, test } from 'vitest'
import { findPage, listPages } from '../../../../internal/service/doctor/manual-pages.ts'

test('every page has a title, and every title leads to its page', () => {
  const pages = listPages()
  expect(pages.length).toBeGreaterThan(50)
  for (const { page, title } of pages) {
    expect(title, page).not.toBe('')
    expect(findPage(page)).toMatchObject({ page, title })
  }
})

test('pages of the first level come first', () => {
  const depths = listPages().map(({ page }) => page.split('/').length)
  expect(depths).toEqual([...depths].sort())
})

test.each(['', '..', '../README', 'examples/study/README', '/etc/passwd'])('finds no page for %j', (name) => {
  expect(findPage(name)).toBeUndefined()
})
