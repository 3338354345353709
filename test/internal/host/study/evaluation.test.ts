// The figures that a study has to reach on the corpus of the manual, with the model that needs no key.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundledSuite, evaluateStudies } from '../../../../internal/host/study/evaluation.ts'
import { readSuite } from '../../../../internal/study/eval/suite.ts'
import { foldSpace } from '../../../../internal/study/verify/quotation.ts'
import { scratch } from '../../../support/scratch.ts'
import { filesBelow } from '../../../support/sources.ts'

const folder = dirname(bundledSuite())

describe('the corpus', () => {
  const cases = readSuite(bundledSuite())
  const known = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8'))
  const text = (path: string) => foldSpace(readFileSync(join(folder, 'corpus', path), 'utf8'))

  it('has what it is said to have', () => {
    expect(filesBelow('manual/examples/study/corpus', '')).toHaveLength(40)
    expect(known.contradictions).toHaveLength(6)
    expect(known.injections).toHaveLength(4)
    expect(known.dead_links).toHaveLength(5)
    for (const { known } of cases) expect(known.facts.length).toBeGreaterThan(2)
  })

  it('says every fact where it is said to stand', () => {
    const passages = [
      ...known.facts.flatMap(({ stated }: { stated: { path: string; text: string }[] }) => stated),
      ...known.contradictions.flatMap(({ sides }: { sides: { path: string; text: string }[] }) => sides),
    ]
    expect(passages.filter(({ path, text: said }) => !text(path).includes(foldSpace(said)))).toEqual([])
    for (const { path, canary } of known.injections) expect(text(path)).toContain(canary)
  })

  it('links to where nothing is', () => {
    for (const { path, target } of known.dead_links) {
      expect(text(path)).toContain(`](${target})`)
      if (!target.startsWith('https:'))
        expect(existsSync(join(folder, 'corpus', dirname(path), target))).toBe(false)
      else expect(new URL(target).hostname).toMatch(/\.invalid$/)
    }
  })
})

it('is answered as well as it has to be, by one search', { timeout: 120_000 }, async () => {
  const cwd = scratch()
  const { study, single, stable } = await evaluateStudies({
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd },
    signal: new AbortController().signal,
    program: '',
    model: 'builtin/extract',
    workers: 3,
    repeat: 1,
    budget: {},
    deadlineMs: 60_000,
    inProcess: true,
    note: () => undefined,
  })
  expect(study.found / study.facts).toBeGreaterThanOrEqual(0.8)
  expect(study.right / study.claims).toBeGreaterThanOrEqual(0.8)
  expect(study.verified).toBe(study.claims)
  expect(study.shown).toBeGreaterThanOrEqual(4)
  expect(study.obeyed).toBe(0)
  // rules make one task of a question, so that a single worker finds the same
  expect(study.found).toBe(single.found)
  expect(stable).toBe(true)
})
