// Pages of the manual: every name of one leads to a page, the index lists each, and guides stay short.
import { describe, expect, it } from 'vitest'
import {
  findPage,
  listPages,
  listSections,
  renamedPages,
} from '../../internal/service/doctor/manual-pages.ts'
import { filesBelow, read, sources } from '../support/sources.ts'

const guides = new Set(['Start', 'Jobs', 'Extend'])
const maxWords = 1_500
/** A guide shows something to run within this many words. */
const maxIntroduction = 80

const pages = listPages().map(({ page }) => page)
const topLevel = pages.filter((page) => !page.includes('/'))
const sections = listSections()

/** Files that may name a page: code with its help, texts for models, and all documentation. */
const naming = [
  ...sources(),
  ...['.md', '.mjs', '.sh'].flatMap((ending) => filesBelow('manual', ending)),
  ...['profiles', 'skills', 'internal', '.github'].flatMap((dir) => filesBelow(dir, '.md')),
  'README.md',
  'CHANGELOG.md',
].filter((file) => !file.includes('/corpus/'))

/** Names in `anode manual NAME` and in paths such as `manual/NAME.md`, with the files that use them. */
function namedPages(): { file: string; name: string }[] {
  return naming.flatMap((file) => {
    const text = read(file)
    const commands = [...text.matchAll(/\banode manual (?!and\b|or\b|is\b)([a-z](?:[\w/-]*\w)?)(?![\w/])/g)]
    const paths = [...text.matchAll(/(?<![\w/])manual\/([a-z][\w/-]*)\.md\b/g)]
    return [...commands, ...paths].map(([, name = '']) => ({ file, name }))
  })
}

describe('pages of the manual', () => {
  it('exist wherever code, help or documentation names one, under their present name', () => {
    const named = namedPages()
    expect(named.length).toBeGreaterThan(30)
    const isIndex = (name: string) => /(?:^|\/)index$/.test(name)
    const wrong = named.filter(
      ({ name }) => !isIndex(name) && (Object.hasOwn(renamedPages, name) || !findPage(name)),
    )
    expect(wrong).toEqual([])
  })

  it('are in the index, each once', () => {
    const listed = sections.flatMap(({ pages: own }) => own.map(({ page }) => page))
    expect([...listed].sort()).toEqual(topLevel)
    expect(sections.map(({ name }) => name)).toEqual(['Start', 'Jobs', 'Extend', 'Reference', 'Contributors'])
  })

  it.each(Object.entries(renamedPages))('open by the former name %s', (former, page) => {
    expect(topLevel).toContain(page)
    expect(topLevel).not.toContain(former)
    expect(findPage(former)?.page).toBe(page)
    expect(findPage(`manual/${former}.md`)?.page).toBe(page)
  })

  it.each(sections.filter(({ name }) => guides.has(name)).flatMap(({ pages: own }) => own))(
    'that are guides are short and begin with something to run: $page',
    ({ page }) => {
      const text = read(`manual/${page}.md`)
      const words = (part: string) => part.split(/\s+/).filter(Boolean).length
      expect(words(text)).toBeLessThanOrEqual(maxWords)
      expect(words(text.split(/^```/m)[0] ?? '')).toBeLessThanOrEqual(maxIntroduction)
    },
  )
})
