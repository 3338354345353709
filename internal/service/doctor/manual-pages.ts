// Reader of the pages of the manual, in the directory that is part of the program.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface ManualPage {
  /** Path below the manual's directory, without `.md`. */
  page: string
  /** The first heading of the page. */
  title: string
}

/** A section of the index with its pages, in the order in which a new user reads them. */
interface ManualSection {
  name: string
  /** Pages of the section. `about` is the sentence about the page in the index. */
  pages: { page: string; about: string }[]
}

/** Former names of pages, each with the page that has the text now. */
export const renamedPages: Readonly<Record<string, string>> = {
  start: 'getting-started',
  walls: 'sandbox',
  wall: 'sandbox',
  safety: 'security-model',
  scripts: 'scripted-models',
  skills: 'instructions-and-skills',
  'study-redis': 'distributed-studies',
  terminals: 'tools',
}

/**
 * Pages that are not listed: examples, which are files to run or to copy, and the index, which
 * `anode manual` prints.
 */
const hidden = /^(?:examples\/|index$)/

/**
 * Returns all pages except the examples and the index: those of the first level first, then sorted by path.
 */
export function listPages(): ManualPage[] {
  const root = manualDirectory()
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => path.slice(0, -'.md'.length))
    .filter((page) => !hidden.test(page))
    .sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))
    .map((page) => ({ page, title: titleOf(readPage(page)) }))
}

/** Returns the sections of the index with their pages of the first level, in order. */
export function listSections(): ManualSection[] {
  return readPage('index')
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      name: section.split('\n', 1)[0] ?? '',
      pages: [...section.matchAll(/^- \[[^\]]+\]\(([\w-]+)\.md\): (.+)$/gm)].map(
        ([, page = '', about = '']) => ({ page, about }),
      ),
    }))
}

/**
 * Finds a page by its path, by a former name, or by the last part of its path. Commands come before tools
 * of the same name. Returns undefined if no page has that name.
 */
export function findPage(name: string): (ManualPage & { text: string }) | undefined {
  const path = name
    .toLowerCase()
    .replace(/^manual\//, '')
    .replace(/\.md$/, '')
  const pageName = Object.hasOwn(renamedPages, path) ? renamedPages[path] : path
  const pages = listPages()
  const match =
    pages.find(({ page }) => page === pageName) ??
    pages.find(({ page }) => page.split('/').at(-1) === pageName)
  return match && { ...match, text: readPage(match.page) }
}

/** Returns the Markdown of a page that exists. */
export function readPage(page: string): string {
  return readFileSync(join(manualDirectory(), `${page}.md`), 'utf8')
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? ''
}

/**
 * Returns the directory of the manual: the nearest `manual` with an index in or above the directory of this
 * code. Throws if the program was copied without its manual.
 */
function manualDirectory(): string {
  // the manual is in the root of the repository, three directories above this one, or one or two directories
  // above the bundle
  for (let dir = import.meta.dirname; dir !== dirname(dir); dir = dirname(dir)) {
    const manual = join(dir, 'manual')
    if (existsSync(join(manual, 'index.md'))) return manual
  }
  throw new Error('the manual is missing: it has to be in the directory above the program')
}
