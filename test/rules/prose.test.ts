// Plain English: the dialect that the project came from disappears file by file and does not come back.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { countWords, findDialect, proseFiles, proseOf, type Surface } from '../support/prose.ts'
import { root } from '../support/sources.ts'

/**
 * Uses of the dialect by file. `UPDATE=1` writes the counts that fell; a count that grew has to be fixed in
 * the text. The goal is 0.3 uses in 1,000 words of every surface.
 */
const allowList = join(root, 'test/rules/prose-allowed.json')

/** Uses in 1,000 words of each surface, which may only shrink. */
const limits: Readonly<Record<Surface, number>> = {
  comments: 13,
  strings: 10.8,
  titles: 11.7,
  manual: 0.7,
  prompts: 0.9,
}

const counts: Record<string, number> = {}
const examples: Record<string, string> = {}
const words: Partial<Record<Surface, number>> = {}
const uses: Partial<Record<Surface, number>> = {}

beforeAll(() => {
  for (const file of proseFiles())
    for (const { surface, text, line } of proseOf(file)) {
      const hits = findDialect(text)
      words[surface] = (words[surface] ?? 0) + countWords(text)
      uses[surface] = (uses[surface] ?? 0) + hits.length
      if (hits.length === 0) continue
      counts[file] = (counts[file] ?? 0) + hits.length
      examples[file] = [examples[file], `${file}:${line} ${hits.join(', ')}`].filter(Boolean).join('\n')
    }
})

it('no file uses the dialect more often than the list allows, and the list shrinks', () => {
  const allowed: Record<string, number> = existsSync(allowList)
    ? JSON.parse(readFileSync(allowList, 'utf8'))
    : {}
  const grown = Object.keys(counts).filter((file) => (counts[file] ?? 0) > (allowed[file] ?? 0))
  expect(grown, grown.map((file) => examples[file]).join('\n')).toEqual([])
  if (process.env.UPDATE) {
    const rows = Object.keys(counts)
      .sort()
      .map((file) => [file, counts[file]])
    writeFileSync(allowList, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`)
    return
  }
  const fallen = Object.keys(allowed).filter((file) => (counts[file] ?? 0) < (allowed[file] ?? 0))
  expect(fallen, 'run UPDATE=1 npx vitest run test/rules/prose.test.ts').toEqual([])
})

it.each(Object.keys(limits) as Surface[])('%s use the dialect less often than before', (surface) => {
  const rate = (1000 * (uses[surface] ?? 0)) / (words[surface] ?? 1)
  expect(rate, `${uses[surface]} uses in ${words[surface]} words`).toBeLessThanOrEqual(limits[surface])
})
