// The digest of a corpus: the same for the same files, in a repository or a copy of it.
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync, symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { surveyCorpus } from '../../../../internal/study/plan/corpus.ts'
import { describeSkippedDocuments } from '../../../../internal/study/plan/source-map.ts'
import { papers } from '../../../support/papers.ts'
import { git, repoWith } from '../../../support/repo.ts'
import { run } from '../../../support/run.ts'
import { plant, scratch, scratchWith } from '../../../support/scratch.ts'
import { makeZip } from '../../../support/zip.ts'

const files = { 'a.md': 'Locks and more locks.\n', 'src/b.ts': 'const lock = 1\n', 'c.txt': 'Crash.\n' }

test('a repository, a copy without git, and another order of writing', async () => {
  const repo = repoWith({ ...files, '.gitignore': 'out/\n' })
  plant(repo, { 'out/big.txt': 'ignored\n' })
  const { id, files: count, frequency } = await surveyCorpus(repo, ['lock', 'crash', 'none'], run)
  expect(count).toBe(4)
  expect(frequency).toEqual({ lock: 2, crash: 1, none: 0 })

  const copy = scratch()
  cpSync(repo, copy, { recursive: true })
  expect((await surveyCorpus(copy, [], run)).id).toBe(id)
  plant(repo, { 'new.txt': 'not yet committed\n' })
  const changed = (await surveyCorpus(repo, [], run)).id
  expect(changed).not.toBe(id)
  git(repo, 'add', '-A')
  git(repo, 'commit', '-qm', 'second')
  expect((await surveyCorpus(repo, [], run)).id).toBe(changed)
  rmSync(join(repo, 'new.txt'))
  expect((await surveyCorpus(repo, [], run)).id).toBe(id)
})

test('without git hidden entries and packages are excluded', async () => {
  const plain = scratchWith({ ...files, '.hidden/x': 'x', 'node_modules/y/y.js': 'y' })
  const { id, files: count } = await surveyCorpus(plain, [], run)
  expect(count).toBe(3)
  expect((await surveyCorpus(scratchWith(files), [], undefined)).id).toBe(id)
})

test('lists files that no tool reads, each with the reason', async () => {
  const root = scratchWith({
    ...files,
    'image.bin': new Uint8Array([0, 1, 2]),
    'large.txt': 'x'.repeat((2 << 20) + 1),
  })
  symlinkSync('/etc', join(root, 'out'))
  symlinkSync(join(root, 'a.md'), join(root, 'within.md'))
  execFileSync('mkfifo', [join(root, 'pipe')])
  const { files: count, bytes, skipped } = await surveyCorpus(root, [], run)
  expect({ count, bytes }).toEqual({ count: 3, bytes: Object.values(files).join('').length })
  expect(skipped).toEqual([
    { path: 'image.bin', why: 'binary' },
    { path: 'large.txt', why: 'over 2 MiB' },
    { path: 'out', why: 'link out of the root' },
  ])
})

test('reports of studies are neither sources nor a change of the corpus', async () => {
  const answer = '## Answer\n\n> It is so.\n\n## Sources\n\n1. [`a.md:1`](<a.md#L1>)\n'
  const { id, skipped } = await surveyCorpus(scratchWith({ ...files, 'answer.md': answer }), [], run)
  expect(id).toBe((await surveyCorpus(scratchWith(files), [], run)).id)
  expect(skipped).toEqual([{ path: 'answer.md', why: 'a report of a study' }])
})

test('fails if there is nothing to read', async () => {
  expect(await surveyCorpus(scratch(), ['x'], run)).toMatchObject({ files: 0, frequency: { x: 0 } })
})

test('reports its progress, and ends when it is cancelled', async () => {
  const root = scratchWith(Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`${i}.txt`, 'x\n'])))
  const shown: [number, number][] = []
  const survey = await surveyCorpus(root, [], undefined, { show: (seen, all) => shown.push([seen, all]) })
  expect(survey.files).toBe(250)
  // Names come first. With large files there are more reports than one per hundred files.
  expect(shown.slice(0, 2)).toEqual([
    [0, 0],
    [0, 250],
  ])
  expect(shown).toContainEqual([100, 250])
  expect(shown).toContainEqual([200, 250])
  const stop = new AbortController()
  const stopped = surveyCorpus(root, [], undefined, {
    signal: stop.signal,
    show: (seen) => seen === 100 && stop.abort(new Error('enough')),
  })
  await expect(stopped).rejects.toThrow()
})

test('reports progress on large files before a hundred of them are read', async () => {
  const large = 'some words of a large file\n'.repeat(60_000)
  const root = scratchWith(Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`${i}.txt`, large])))
  const seen: number[] = []
  await surveyCorpus(root, ['word'], undefined, { show: (count) => seen.push(count) })
  expect(seen.some((count) => count > 0 && count < 60)).toBe(true)
})

test('counts documents by their text, and lists those without text with the reason', async () => {
  const root = scratchWith({ ...papers, 'table.xls': 'PK', 'plan.docx': 'torn' })
  execFileSync('mkfifo', [join(root, 'pipe.pdf')])
  truncateSync(join(root, 'plan.docx'), 2 ** 31)
  const terms = ['tide', 'starch', 'swift', 'pump', 'lichen', 'bridge']
  const { files: count, skipped, frequency } = await surveyCorpus(root, terms, undefined)
  expect(count).toBe(6)
  expect(frequency).toMatchObject({ tide: 1, starch: 1, swift: 1, pump: 1, lichen: 1 })
  expect(skipped).toEqual([
    { path: 'old-survey-scan.pdf', why: 'no text: 12 scanned pages' },
    { path: 'pipe.pdf', why: 'it is a named pipe; only regular files can be opened' },
    { path: 'plan.docx', why: 'it is larger than 32 MiB' },
    { path: 'sealed-results.pdf', why: 'it is encrypted' },
    { path: 'table.xls', why: 'an old Excel file: save it as XLSX or CSV' },
    { path: 'torn-copy.pdf', why: 'it cannot be read: Invalid PDF structure.' },
  ])
})

test('counts every readable format, and applies the text limit to pages and tables', async () => {
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
  const book = makeZip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="One" r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="a" Type="http://x/worksheet" Target="worksheets/one.xml"/></Relationships>',
    'xl/worksheets/one.xml': `<worksheet><sheetData><row>${cell('depth of the tide')}</row></sheetData></worksheet>`,
  })
  const large = 'tide '.repeat(450_000)
  const root = scratchWith({ 'book.xlsx': book, 'page.html': large, 'rows.csv': large })
  const { files: count, skipped, frequency } = await surveyCorpus(root, ['tide'], undefined)
  expect({ count, frequency }).toEqual({ count: 1, frequency: { tide: 1 } })
  expect(skipped.map(({ path, why }) => `${path} ${why}`)).toEqual([
    'page.html over 2 MiB',
    'rows.csv over 2 MiB',
  ])
})

test('reads a directory that the user names, also if git ignores it', async () => {
  const paper = papers['oat-starch.docx'] as Buffer
  const repo = repoWith({ 'a.md': 'x', '.gitignore': 'private/\n*.docx\n' })
  plant(repo, { 'private/b.md': 'y', 'private/c.docx': paper, 'papers/d.docx': paper, 'papers/e.md': 'z' })
  const names = async (below: string) => {
    const { files: count, skipped } = await surveyCorpus(join(repo, below), [], run)
    return [count, skipped.map(({ path, why }) => `${path}: ${why}`)]
  }
  expect(await names('private')).toEqual([2, []])
  expect(await names('papers')).toEqual([2, []])
  expect(await names('.')).toEqual([
    3,
    [
      'papers/d.docx: ignored by git; name its folder with --root',
      'private/: a folder with documents, ignored by git; name it with --root',
    ],
  ])
})

test('names each folder with documents that git ignores as a whole', async () => {
  const ignore = 'data/\nbuild/\nnode_modules/\n.venv/\nall/*\n*.odt\nlink\n'
  const repo = repoWith({ 'a.md': 'x', 'docs/a.md': 'x', 'docs/c/b.md': 'y', '.gitignore': ignore })
  const word = papers['oat-starch.docx'] as Buffer
  const paths = [
    ...['data/a.docx', 'data/b.pdf', 'data/deep/c.pdf', 'docs/data/d.doc', 'docs/c/data/e.epub'],
    ...['docs/build/deep/f.pdf', 'build/f.html', 'build/g.csv', 'build/h.pdf/i.txt', 'node_modules/j.pdf'],
    ...['docs/node_modules/k/l.pdf', '.venv/m.pdf', 'docs/.venv/build/n.pdf', 'all/o.pdf', 'own/p.odt'],
    'docs/own/q.odt',
  ]
  plant(repo, Object.fromEntries(paths.map((path) => [path, word])))
  const why = 'a folder with documents, ignored by git; name it with --root'
  const foldersBelow = async (root: string) => {
    const { skipped } = await surveyCorpus(join(repo, root), [], run)
    return skipped.flatMap((one) => (one.why === why ? [one.path] : []))
  }
  expect(await foldersBelow('.')).toEqual(['data/', 'docs/c/data/', 'docs/data/'])
  expect(await foldersBelow('docs')).toEqual(['c/data/', 'data/'])
  expect(await foldersBelow('docs/c')).toEqual(['data/'])
  expect(await foldersBelow('data')).toEqual([])
  const { skipped } = await surveyCorpus(repo, [], run)
  expect(skipped.map(({ path }) => path)).toEqual(expect.arrayContaining(['all/o.pdf', 'own/p.odt']))
  expect(describeSkippedDocuments(skipped)).toMatchObject({
    lines: expect.arrayContaining([`skipped data/: ${why}`]),
    others: [],
  })
  const before = (await surveyCorpus(repo, [], run)).id
  plant(repo, { 'data/more.pdf': word })
  expect((await surveyCorpus(repo, [], run)).id).toBe(before)
})
