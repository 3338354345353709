// A study over documents, with the built program: the answer, its sources, references, verification.
import { appendFileSync, cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type World, world } from '../../support/anode.ts'
import { withRedis } from '../../support/redis.ts'
import { root } from '../../support/sources.ts'

const papers = join(root, 'test', 'fixtures', 'papers')
const question = 'What starch content do oats have after 16 hours of drying?'
const model = ['--model', 'builtin/extract']

let at: World
beforeEach(() => {
  at = world()
  cpSync(papers, join(at.dir, 'papers'), { recursive: true })
})
afterEach(() => at.remove())

async function report() {
  return JSON.parse((await at.anode(['study', 'report', 'last', '--json'])).out)
}

test('the answer names its paper, the report what was skipped, and references come from both', async () => {
  const done = await at.anode(['study', question, '--root', 'papers', ...model])
  expect(done.out).toContain('49.7 %')
  expect(done.out).toMatch(/oat-starch\.docx, paragraphs? \d/)
  expect(done.err).toContain('skipped sealed-results.pdf: it is encrypted\n')
  expect(done.err).toContain('skipped old-survey-scan.pdf: no text: 12 scanned pages\n')
  const { sources, skipped, claims, citation_accuracy } = await report()
  const paper = sources.find((one: { canonical: string }) => one.canonical === 'oat-starch.docx')
  expect(paper).toMatchObject({
    kind: 'Word document',
    weight: 'primary',
    date: '2022-03-02',
    title: 'Drying time and starch in oats',
    link: expect.stringMatching(/^file:\/\/\/.*\/papers\/oat-starch\.docx$/),
  })
  expect(skipped.map((one: { path: string }) => one.path)).toEqual([
    'old-survey-scan.pdf',
    'sealed-results.pdf',
    'torn-copy.pdf',
  ])
  expect([citation_accuracy, claims.every((one: { verified: boolean }) => one.verified)]).toEqual([1, true])
  const bibtex = await at.anode(['study', 'report', 'last', '--cite', 'bibtex'])
  expect(bibtex.out).toContain('@misc{oat-starch-2022,\n  title = {{Drying time and starch in oats}},')
  const csl = await at.anode(['study', 'report', 'last', '--cite', 'csl'])
  expect(JSON.parse(csl.out)).toContainEqual(
    expect.objectContaining({ id: 'oat-starch-2022', type: 'document' }),
  )
  expect(await at.anode(['study', 'report', 'last', '--cite', 'bibtex', '-o', 'r.md'])).toMatchObject({
    code: 2,
  })

  appendFileSync(join(at.dir, 'papers', 'oat-starch.docx'), 'more')
  const changed = await at.anode(['study', 'verify', 'last'])
  expect(changed.out).toMatch(/verified.*source changed/)
  rmSync(join(at.dir, 'papers'), { recursive: true })
  expect((await at.anode(['study', 'verify', 'last'])).code).toBe(0)
}, 60_000)

withRedis('on a server', (redis) => {
  test('evidence of documents keeps its place, and needs no file to be verified', async () => {
    const engine = ['--engine', redis().url]
    const done = await at.anode(['study', question, '--root', 'papers', ...engine, ...model])
    expect(done.out, done.err).toContain('49.7 %')
    rmSync(join(at.dir, 'papers'), { recursive: true })
    const { claims } = await report()
    expect(claims[0]).toMatchObject({
      verified: true,
      place: expect.stringContaining('oat-starch.docx, paragraph'),
    })
    expect((await at.anode(['study', 'verify', 'last'])).out).toContain('citation accuracy 1.00')
  }, 90_000)
})
