// Search over the pages of the manual: every word of every title leads to its page, best matches first.
import { describe, expect, test } from 'vitest'
import { listPages, readPage, renamedPages } from '../../../../internal/service/doctor/manual-pages.ts'
import { searchManual } from '../../../../internal/service/doctor/manual-search.ts'

const topLevel = listPages().filter(({ page }) => !page.includes('/'))

describe('searchManual', () => {
  test.each(topLevel)('the title of $page finds the page first', ({ page, title }) => {
    expect(searchManual(title)[0]).toMatchObject({ page, line: 1 })
  })

  test.each(Object.entries(renamedPages))('the former name %s finds %s', (former, page) => {
    expect(searchManual(former)).toContainEqual(expect.objectContaining({ page, line: 1 }))
  })

  test.each(['sandbox', 'SANDBOX', 'kill -9', 'needs approval', 'exit code 4', 'tb__'])(
    'every line for %s is a line of its page that contains the words',
    (query) => {
      const matches = searchManual(query)
      expect(matches.length).toBeGreaterThan(0)
      for (const { page, heading, line, text } of matches) {
        const lines = readPage(page).split('\n')
        expect(lines[line - 1]?.trim()).toBe(text)
        expect(readPage(page)).toContain(heading)
        for (const word of query.toLowerCase().split(' ')) expect(text.toLowerCase()).toContain(word)
      }
      expect(new Set(matches.map(({ page, line }) => `${page}:${line}`)).size).toBe(matches.length)
    },
  )

  test('words of one section match together if no line has all of them', () => {
    const page = topLevel.find(({ page: name }) => name === 'sandbox')
    const matches = searchManual('bubblewrap sandbox-exec bwrap doctor require')
    expect(matches[0]?.page).toBe(page?.page)
  })

  test('guides come before generated pages', () => {
    const kinds = searchManual('sandbox').map(({ page }) => page.includes('/'))
    expect(kinds[0]).toBe(false)
    expect(kinds.lastIndexOf(false)).toBeGreaterThan(0)
  })

  test.each(['', '   ', 'no-page-has-this-word', 'sandbox no-page-has-this-word'])(
    '%j finds nothing',
    (query) => {
      expect(searchManual(query)).toEqual([])
    },
  )
})
