// The pages of the manual as they lie beside the program, in a clone and in an installed package alike.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface ManualPage {
  /** Path below the manual's folder, without `.md`. */
  page: string
  /** The page's first heading. */
  title: string
}

/** Examples are files to run or to copy, no pages. */
const hidden = /^(?:examples\/|index$)/

/** Every page, those of the first level first, by name. */
export function listPages(): ManualPage[] {
  const root = manualFolder()
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => path.slice(0, -'.md'.length))
    .filter((page) => !hidden.test(page))
    .sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))
    .map((page) => ({ page, title: titleOf(readFileSync(join(root, `${page}.md`), 'utf8')) }))
}

/** A page by its path, or by its last part where only one page is called so; a command before a tool. */
export function findPage(name: string): (ManualPage & { text: string }) | undefined {
  const wanted = name
    .toLowerCase()
    .replace(/^manual\//, '')
    .replace(/\.md$/, '')
  const pages = listPages()
  const found =
    pages.find(({ page }) => page === wanted) ?? pages.find(({ page }) => page.split('/').at(-1) === wanted)
  return found && { ...found, text: readFileSync(join(manualFolder(), `${found.page}.md`), 'utf8') }
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? ''
}

/** Throws when the program was copied without its manual. */
function manualFolder(): string {
  // from sources two folders up, from the bundle one or two
  for (let dir = import.meta.dirname; dir !== dirname(dir); dir = dirname(dir)) {
    const manual = join(dir, 'manual')
    if (existsSync(join(manual, 'index.md'))) return manual
  }
  throw new Error('the manual does not lie beside the program')
}
