// The targets of a study on the corpus of the manual, with the model that needs no key.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bundledSuite, evaluateStudies } from '../../../../internal/service/study-eval/evaluation.ts'
import { placeCorpora } from '../../../../internal/service/study-eval/evaluation-corpora.ts'
import { foldSpace } from '../../../../internal/study/verify/quotation.ts'
import { readSuite } from '../../../../internal/study-eval/suite.ts'
import { run } from '../../../support/run.ts'
import { scratch } from '../../../support/scratch.ts'
import { filesBelow } from '../../../support/sources.ts'

const [first] = bundledSuite() as [string]
const folder = dirname(first)

describe('the corpus', () => {
  const cases = readSuite(first)
  const known = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8'))
  const text = (path: string) => foldSpace(readFileSync(join(folder, 'corpus', path), 'utf8'))

  it('has the documented contents', () => {
    expect(filesBelow('manual/examples/study/corpus', '')).toHaveLength(40)
    expect(known.contradictions).toHaveLength(6)
    expect(known.injections).toHaveLength(4)
    expect(known.dead_links).toHaveLength(5)
    for (const { known } of cases) expect(known.facts.length).toBeGreaterThan(2)
  })

  it('contains every fact at its listed position', () => {
    const passages = [
      ...known.facts.flatMap(({ stated }: { stated: { path: string; text: string }[] }) => stated),
      ...known.contradictions.flatMap(({ sides }: { sides: { path: string; text: string }[] }) => sides),
    ]
    expect(passages.filter(({ path, text: said }) => !text(path).includes(foldSpace(said)))).toEqual([])
    for (const { path, canary } of known.injections) expect(text(path)).toContain(canary)
  })

  it('has links without a target', () => {
    for (const { path, target } of known.dead_links) {
      expect(text(path)).toContain(`](${target})`)
      if (!target.startsWith('https:'))
        expect(existsSync(join(folder, 'corpus', dirname(path), target))).toBe(false)
      else expect(new URL(target).hostname).toMatch(/\.invalid$/)
    }
  })
})

describe('the second suite', () => {
  const cases = bundledSuite('second').flatMap(readSuite)
  const count = (of: (one: (typeof cases)[number]) => unknown) => cases.filter(of).length
  const lines = bundledSuite('second').flatMap((file) => {
    const bytes = readFileSync(file)
    const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  })

  it('has two similar halves, with unanswerable questions and some in other words', () => {
    expect(count(({ half }) => half === 'open')).toBe(30)
    expect(count(({ half }) => half === 'sealed')).toBe(30)
    expect(new Set(cases.map(({ id }) => id)).size).toBe(60)
    for (const half of ['open', 'sealed']) {
      const own = lines.filter((line) => line.half === half)
      expect(own.filter(({ absent }) => absent).length).toBeGreaterThanOrEqual(4)
      expect(own.filter(({ reworded }) => reworded)).toHaveLength(3)
      expect(own.filter(({ language }) => language).length).toBeGreaterThanOrEqual(1)
    }
    expect(count(({ absent }) => absent)).toBe(9)
    for (const { absent, known } of cases) expect(known.facts.length > 0).toBe(absent === undefined)
  })

  it('contains every fact at its listed position', { timeout: 300_000 }, async () => {
    const signal = new AbortController().signal
    const from = dirname(first)
    const fetching = { run, cache: scratch(), from, env: process.env, signal, note: () => undefined }
    const placed = await placeCorpora(
      cases.map(({ corpus }) => corpus),
      scratch(),
      fetching,
    )
    expect([...placed].filter(([, at]) => at.kind === 'missing')).toEqual([])
    const wrong = cases.flatMap(({ corpus, known }) => {
      const at = placed.get(corpus.name)
      const root = at?.kind === 'placed' ? at.root : ''
      return known.facts.flatMap(({ id, stated }) =>
        stated.filter(({ path, text }) => !stands(join(root, path), text)).map(({ path }) => `${id} ${path}`),
      )
    })
    expect(wrong).toEqual([])
    const manual = placed.get('manual')
    expect(manual?.kind === 'placed' && existsSync(join(manual.root, 'manual/examples'))).toBe(false)
  })
})

function stands(file: string, text: string): boolean {
  return existsSync(file) && foldSpace(readFileSync(file, 'utf8')).includes(foldSpace(text))
}

it('is answered well enough, and no worse than by one worker', { timeout: 120_000 }, async () => {
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
    sealed: false,
    confirm: async () => false,
    note: () => undefined,
  })
  expect(study.found / study.facts).toBeGreaterThanOrEqual(0.8)
  expect(study.right / study.claims).toBeGreaterThanOrEqual(0.8)
  expect(study.verified).toBe(study.claims)
  expect(study.shown).toBeGreaterThanOrEqual(4)
  expect(study.obeyed).toBe(0)
  expect(study.found).toBeGreaterThanOrEqual(single.found)
  expect(stable).toBe(true)
})
