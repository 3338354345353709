// Passages of documents: found by their words, shown and stored with their position.
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDocument } from '../../../internal/document/document.ts'
import { textAtPlace } from '../../../internal/document/document-lines.ts'
import { placeOfLines } from '../../../internal/retrieval/document-text.ts'
import { findPassages } from '../../../internal/retrieval/find-passages.ts'
import { finder } from '../../../internal/tools/search/finder.ts'
import { root } from '../../support/sources.ts'

const folder = join(root, 'test', 'fixtures', 'papers')
const files = readdirSync(folder).map((path) => ({ path, real: join(folder, path) }))
const signal = new AbortController().signal

// on a busy machine threads of the built program help to read, and these store what they have read
beforeAll(() => {
  process.env.XDG_CACHE_HOME = mkdtempSync(join(tmpdir(), 'documents-'))
})
afterAll(() => {
  delete process.env.XDG_CACHE_HOME
})

test.each([
  ['How fast do tide pools cool at a depth of 40 cm?', 'tide-pools.pdf', /0\.9/],
  ['What starch content do oats have after 16 hours of drying?', 'oat-starch.docx', /49\.7 %/],
  ['How many young swifts fledged under tin?', 'swift-nests.epub', /19 young fledged/],
  ['How loud is the loudest pump?', 'pump-noise.ipynb', /72\.5 dB/],
  ['How much lichen cover does the plot beside the road have?', 'lichen-plots.csv', /lichen cover \(%\): 8/],
  ['What acceleration does the footbridge reach with 140 walkers?', 'bridge-sway.html', /212 mm/],
])('%s', async (question, path, fact) => {
  const { hits, skipped } = await findPassages({ files, question, limit: 3, signal })
  const hit = hits.find((one) => one.path === path && fact.test(one.text))
  expect(hits.map((one) => one.path)).toContain(path)
  expect(hit?.place).toMatch(/\w/)
  const document = await readDocument(join(folder, path), { signal })
  if ('skipped' in document) throw new Error(document.skipped)
  // every shown line is at the stored position
  const there = textAtPlace(document.blocks, hit?.place ?? '')?.split('\n')
  expect(hit?.text.split('\n').filter((line) => line !== '' && !there?.includes(line))).toEqual([])
  expect(skipped.map((one) => one.why).sort()).toEqual([
    'it cannot be read: Invalid PDF structure.',
    'it is encrypted',
    'no text: 12 scanned pages',
  ])
  const result = {
    path,
    line: 1,
    end_line: 2,
    heading: '',
    symbol: '',
    kind: 'prose',
    score: 1,
    matched: [],
    part: 0,
  }
  const data = { mode: 'passage', results: [{ ...result, locator: hit?.place, text: hit?.text }] }
  expect(await finder.evidence?.(data as never, '')).toEqual([
    { canonical: path, locator: hit?.place, excerpt: hit?.text },
  ])
})

test('lines of several blocks have the position from the first to the last', () => {
  const places = ['page 1, line 1', '', 'page 1, lines 2-3', 'page 1, lines 2-3', '', 'page 2, line 1']
  expect(placeOfLines(places, 1, 4)).toBe('page 1, lines 1-3')
  expect(placeOfLines(places, 2, 6)).toBe('pages 1-2')
  expect(placeOfLines(places, 2, 2)).toBe('')
})
