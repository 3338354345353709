// The walks of manual/architecture.md, which follow the imports from file to file, and its list of rooms.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importsOf, runtimeImportsOf } from '../support/import-graph.ts'
import { filesBelow, read, root, sources } from '../support/sources.ts'

/**
 * The maximum number of files of a walk that may import one other file of it. A file with more importers
 * belongs below the walk.
 */
const maxEntries = 7

const page = read('manual/architecture.md')

/** Returns the text of a section, without its heading. */
function sectionOf(text: string, heading: string): string {
  const start = text.indexOf(`\n${heading}\n`)
  if (start < 0) throw new Error(`there is no section ${heading}`)
  const body = text.slice(start + heading.length + 2)
  const end = body.search(/^## /m)
  return end < 0 ? body : body.slice(0, end)
}

/** Each walk as the files of its lines, by its heading. */
const walks = sectionOf(page, '## Reading guide')
  .split(/^### /m)
  .slice(1)
  .map((walk) => {
    const [title = '', ...lines] = walk.trim().split('\n')
    const steps = lines.filter((line) => line !== '')
    return { title, steps, files: steps.map((line) => /^- `([^`]+)` \S/.exec(line)?.[1] ?? line) }
  })

describe('the reading guide', () => {
  it('has six walks of files that exist, each with what it does', () => {
    expect(walks).toHaveLength(6)
    const known = new Set(sources())
    expect(walks.flatMap(({ files }) => files).filter((file) => !known.has(file))).toEqual([])
  })

  it.each(walks)('leads only to files that an earlier file imports: $title', ({ files }) => {
    // a call comes back to its caller, so that the next file may be one that any file before it imports
    const lost = files.filter(
      (file, i) => i > 0 && !files.slice(0, i).some((one) => importsOf(one).includes(file)),
    )
    expect(lost).toEqual([])
  })

  it.each(walks)('visits no file twice, and no file that many others import: $title', ({ files }) => {
    expect(files.filter((file, i) => files.indexOf(file) !== i)).toEqual([])
    const entered = files.filter(
      (file) => files.filter((one) => runtimeImportsOf(one).includes(file)).length > maxEntries,
    )
    expect(entered).toEqual([])
  })
})

it('lists every room', () => {
  const rooms = new Set(sources().flatMap((file) => /^internal\/[^/]+\//.exec(file)?.[0].slice(9) ?? []))
  const list = sectionOf(page, '## Rooms')
  expect([...rooms].filter((room) => !list.includes(` ${room}`))).toEqual([])
})

/** Files of a user's project in examples. */
const ofExamples = new Set(['test/add.test.js'])

it('every source path in README or manual exists', () => {
  const pages = ['README.md', ...filesBelow('manual', '.md')].filter((file) => !file.includes('/corpus/'))
  const missing = pages.flatMap((file) =>
    [...read(file).matchAll(/(?<![\w./-])(?:internal|cmd|test)\/[\w./-]*[\w/]/g)]
      .filter(([path]) => !existsSync(join(root, path)) && !ofExamples.has(path))
      .map(([path]) => `${file}: ${path}`),
  )
  expect(missing).toEqual([])
})
