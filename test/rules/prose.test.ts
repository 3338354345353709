// Plain English: the dialect that the project came from disappears file by file and does not come back.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { countWords, findDialect, proseFiles, proseOf, type Surface } from '../support/prose.ts'
import { read, root } from '../support/sources.ts'

/** Uses that stay, by file, each with its reason. The list only shrinks; other uses are fixed in the text. */
const allowed: Readonly<Record<string, { uses: number; reason: string }>> = JSON.parse(
  readFileSync(join(root, 'test/rules/prose-allowed.json'), 'utf8'),
)

/** Uses in 1,000 words of each surface, at most. */
const limits: Readonly<Record<Surface, number>> = {
  comments: 0,
  strings: 0.2,
  titles: 0,
  manual: 0.2,
  prompts: 0,
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
  const grown = Object.keys(counts).filter((file) => (counts[file] ?? 0) > (allowed[file]?.uses ?? 0))
  expect(grown, grown.map((file) => examples[file]).join('\n')).toEqual([])
  const fallen = Object.entries(allowed).filter(([file, { uses: limit }]) => (counts[file] ?? 0) < limit)
  expect(fallen, 'lower the number in test/rules/prose-allowed.json, or delete the entry').toEqual([])
})

it.each(Object.keys(limits) as Surface[])('%s use the dialect no more often than the limit', (surface) => {
  const rate = (1000 * (uses[surface] ?? 0)) / (words[surface] ?? 1)
  expect(rate, `${uses[surface]} uses in ${words[surface]} words`).toBeLessThanOrEqual(limits[surface])
})

const sourceFiles = () => proseFiles().filter((file) => /^(?:cmd|internal)\/.*\.tsx?$/.test(file))

it('no comment ends in a line of one or two words', () => {
  const paragraphs = sourceFiles().flatMap((file) =>
    proseOf(file)
      .filter(({ surface }) => surface === 'comments')
      .flatMap(({ text, line }) =>
        text.split('\n\n').map((paragraph) => ({ at: `${file}:${line}`, paragraph })),
      ),
  )
  const short = paragraphs.filter(({ paragraph }) => {
    const lines = paragraph.trim().split('\n')
    const last = lines.at(-1) ?? ''
    // code in backticks has any number of words, and braces are code
    if (lines.length === 1 || /^\s*(?:[-*|@]|\d+\.)|[`{}]/.test(last)) return false
    return last.trim().split(/\s+/).length <= 2
  })
  expect(paragraphs.length).toBeGreaterThan(10_000)
  expect(short.map(({ at, paragraph }) => `${at} ${paragraph}`)).toEqual([])
})

/** Words inside a phrase, so that no string ends there. */
const joining =
  'a|an|the|of|to|in|on|at|by|for|with|from|and|or|is|are|was|be|not|no|that|which|its|as|if|has|have|can|' +
  'may|must|only|this|these|each|every|than|into|your|their'

it('no string is split inside a phrase', () => {
  const end = new RegExp(` (?:${joining}) ['\`] \\+$`)
  const split = sourceFiles().flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, i) => (end.test(line) ? [`${file}:${i + 1}`] : [])),
  )
  expect(split).toEqual([])
})
