// Suites over repositories of others: forty questions each, and no text of these repositories.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readSuite } from '../../internal/study-eval/suite.ts'
import { root } from '../support/sources.ts'

const dir = join(root, 'test', 'bench', 'suites')
const suites = ['tuned', 'unseen'].map((name) => join(dir, `${name}.jsonl`))
const namesOf = (file: string) => [...new Set(readSuite(file).map(({ corpus }) => corpus.name))]

it.each(suites)('asks forty questions, half in other words and some without an answer: %s', (file) => {
  const cases = readSuite(file)
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(cases).toHaveLength(40)
  expect(new Set(cases.map(({ id }) => id)).size).toBe(40)
  expect(lines.filter(({ reworded }) => reworded).length).toBeGreaterThanOrEqual(20)
  expect(cases.filter(({ absent }) => absent).length).toBeGreaterThanOrEqual(6)
})

it.each(suites)('names repositories, commits, paths and lines only: %s', (file) => {
  for (const { known, corpus, absent } of readSuite(file)) {
    for (const { source } of corpus.sources)
      expect(source).toMatchObject({ kind: 'repository', commit: expect.stringMatching(/^[0-9a-f]{40}$/) })
    const stated = known.facts.flatMap((fact) => fact.stated)
    expect(stated.length > 0).toBe(absent === undefined)
    for (const { text, lines } of stated) expect([text, typeof lines]).toEqual(['', 'string'])
  }
})

it('has different repositories in each suite', () => {
  const [tuned = [], unseen = []] = suites.map(namesOf)
  expect(tuned.filter((name) => unseen.includes(name))).toEqual([])
})
