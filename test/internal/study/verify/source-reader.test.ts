import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, test } from 'vitest'
import { fingerprint } from '../../../../internal/base/fingerprint.ts'
import { makeStudyEntry } from '../../../../internal/study/log/entries.ts'
import {
  describeSources,
  fileReaderBelow,
  parseLineRanges,
  takeSnapshot,
} from '../../../../internal/study/verify/source-reader.ts'
import { verifyClaims } from '../../../../internal/study/verify/verification.ts'
import { papers } from '../../../support/papers.ts'
import { git, repoWith } from '../../../support/repo.ts'
import { run } from '../../../support/run.ts'
import { plant, scratch, scratchWith } from '../../../support/scratch.ts'
import { root } from '../../../support/sources.ts'
import { claim, evidence, studyOf } from '../../../support/study.ts'

it('reads below its root and nowhere else', async () => {
  const dir = scratch()
  const root = join(dir, 'root')
  mkdirSync(root)
  writeFileSync(join(root, 'a.md'), 'inside')
  writeFileSync(join(dir, 'secret'), 'outside')
  symlinkSync(join(dir, 'secret'), join(root, 'link'))
  const read = fileReaderBelow(root)
  expect((await read('a.md'))?.toString()).toBe('inside')
  execFileSync('mkfifo', [join(root, 'pipe')])
  for (const name of ['pipe', '../secret', 'link', 'missing', '.', 'https://example.org/x', 'a\0b']) {
    expect([name, await read(name)]).toEqual([name, undefined])
  }
})

it('takes documents that no text would be as large as', async () => {
  const root = scratch()
  for (const name of ['large.txt', 'large.pdf']) {
    writeFileSync(join(root, name), '')
    truncateSync(join(root, name), 9 << 20)
  }
  const read = fileReaderBelow(root)
  expect((await read('large.pdf'))?.length).toBe(9 << 20)
  expect(await read('large.txt')).toBeUndefined()
})

// Claims that quote documents, checked again against the files as they are.

const folder = join(root, 'test', 'fixtures', 'papers')
const read = async (name: string) => readFileSync(join(folder, name))

test.each([
  ['tide-pools.pdf', 'page 2, lines 2-3', 'at 11 cm it is 1.9 degrees Celsius per hour', 'page 1'],
  ['oat-starch.docx', 'paragraphs 8-11', 'Drying time: 16 h; Starch content: 49.7 %', 'paragraph 2'],
  ['swift-nests.epub', 'section 2, paragraph 2', 'Under tin the boxes reached 46 °C', 'section 1'],
  ['pump-noise.ipynb', 'cell 4', 'new bearings lower it by 6 dB(A)', 'cell 1'],
  ['lichen-plots.csv', 'row 5', 'lichen cover (%): 8', 'row 2'],
  ['bridge-sway.html', 'paragraph 9', 'Acceleration: 212 mm/s²', 'paragraphs 1-8'],
])('%s at %s', async (canonical, locator, quote, elsewhere) => {
  const bytes = await read(canonical)
  const check = async (place: string, sourceSha256: string) => {
    const filed = evidence('E1.1', quote, { canonical, locator: place, sourceSha256 })
    const state = studyOf([makeStudyEntry('evidence', filed), makeStudyEntry('claim', claim('C1.1', quote))])
    return (await verifyClaims(state, read)).verdicts[0]
  }
  expect(await check(locator, fingerprint(bytes))).toMatchObject({ verified: true, sourceChanged: false })
  const moved = await check(elsewhere, fingerprint(bytes))
  expect(moved).toMatchObject({ verified: false, reason: 'locator_wrong' })
  expect(await check(locator, fingerprint('older'))).toMatchObject({ verified: true, sourceChanged: true })
})

test('lines of a page that was read as text stay lines, and what cannot be read has no places', async () => {
  const page = await takeSnapshot('bridge-sway.html', read)
  expect(page?.textAt('6')).toBe('<h1>How much a footbridge sways</h1>')
  const scan = await takeSnapshot('old-survey-scan.pdf', read)
  expect(scan?.textAt('page 1')).toBeUndefined()
  expect(await takeSnapshot('gone.pdf', async () => undefined)).toBeUndefined()
})

// Lines as locators name them.

it.each([
  ['4', [{ from: 4, to: 4 }]],
  [
    '1-3, 9',
    [
      { from: 1, to: 3 },
      { from: 9, to: 9 },
    ],
  ],
  ['page 3', undefined],
  ['', undefined],
])('rangesOf %j', (locator, expected) => expect(parseLineRanges(locator)).toEqual(expected))

// Facts about sources, from the files and from git, and their permanent URL.

const signal = new AbortController().signal
const paper = papers['tide-pools.pdf'] as Buffer

test('returns kind, weight, date, size and title, with and without git', async () => {
  const files = {
    'src/a.ts': 'x',
    'test/a.test.ts': 'x',
    'vendor/b.c': 'x',
    'CHANGELOG.md': 'x',
    'p.pdf': paper,
  }
  const names = [...Object.keys(files), 'gone.md', 'https://example.org/a']
  const plain = await describeSources(scratchWith(files), names, run, signal)
  expect(plain).toEqual([
    { canonical: 'src/a.ts', kind: 'code', weight: 'primary', bytes: 1 },
    { canonical: 'test/a.test.ts', kind: 'code', weight: 'test', bytes: 1 },
    { canonical: 'vendor/b.c', kind: 'code', weight: 'vendored', bytes: 1 },
    { canonical: 'CHANGELOG.md', kind: 'text', weight: 'secondary', bytes: 1 },
    {
      canonical: 'p.pdf',
      kind: 'PDF',
      weight: 'primary',
      bytes: paper.length,
      title: 'Night cooling of tide pools at Hollin Point',
      date: '2023-09-14',
    },
    { canonical: 'gone.md', kind: 'text', weight: 'primary' },
    { canonical: 'https://example.org/a', kind: 'web page', weight: 'secondary' },
  ])
  const [code] = await describeSources(repoWith(files), ['src/a.ts'], run, signal)
  expect(code?.date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
})

test('a file has a URL if its commit was pushed and the file is unchanged', async () => {
  const repo = repoWith({ 'sub/a b.md': 'one\n', 'sub/c.md': 'two\n' })
  const facts = async () =>
    (await describeSources(join(repo, 'sub'), ['a b.md', 'c.md'], run, signal)).map(({ link }) => link)
  git(repo, 'remote', 'add', 'origin', 'https://token@github.com/acme/pools.git')
  expect(await facts()).toEqual([undefined, undefined])
  git(repo, 'update-ref', 'refs/remotes/origin/main', 'HEAD')
  const commit = git(repo, 'rev-parse', 'HEAD').trim()
  const base = `https://github.com/acme/pools/blob/${commit}/sub`
  expect(await facts()).toEqual([`${base}/a%20b.md`, `${base}/c.md`])
  appendFileSync(join(repo, 'sub', 'c.md'), 'changed\n')
  plant(repo, { 'sub/new.md': 'x' })
  expect(await facts()).toEqual([`${base}/a%20b.md`, undefined])
})
