// Files of every document type: the text that is read, and the reason if nothing can be read.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fingerprint } from '../../../internal/base/fingerprint.ts'
import { parseDocument, readDocument } from '../../../internal/document/document.ts'
import { papers, scannedPdf } from '../../support/papers.ts'
import { scratchWith } from '../../support/scratch.ts'
import { root } from '../../support/sources.ts'
import { makeDocx, makeEpub, makeZip, wordParagraph } from '../../support/zip.ts'

const options = { signal: new AbortController().signal }
const folder = join(root, 'test', 'fixtures', 'papers')

describe('the papers of the fixtures', () => {
  test('are equal to the output of their builder', () => {
    for (const [name, bytes] of Object.entries(papers)) {
      if (process.env.UPDATE === '1') {
        mkdirSync(folder, { recursive: true })
        writeFileSync(join(folder, name), bytes)
      }
      expect(readFileSync(join(folder, name)).equals(bytes), name).toBe(true)
    }
  })

  test.each([
    [
      'bridge-sway.html',
      'paragraph 8',
      'Walkers: 60; Acceleration: 96 mm/s²; Frequency: 1.0 Hz',
      '2020-06-18',
    ],
    ['lichen-plots.csv', 'row 5', 'plot: L4; lichen cover (%): 8; height above ground (cm): 90', undefined],
    [
      'oat-starch.docx',
      'paragraph 11',
      'Drying time: 16 h; Starch content: 49.7 %; Samples: 5',
      '2022-03-02',
    ],
    ['pump-noise.ipynb', 'cell 4', 'The loudest pump reaches 72.5 dB(A)', undefined],
    ['swift-nests.epub', 'section 2, paragraph 3', 'From 32 boxes under tin 19 young fledged', '2021-11-30'],
    [
      'tide-pools.pdf',
      'page 1, lines 4-6',
      'The water temperature was logged every ten minutes',
      '2023-09-14',
    ],
  ])('%s has its facts at %s', async (name, place, text, date) => {
    const read = await readDocument(join(folder, name), options)
    if ('skipped' in read) throw new Error(read.skipped)
    expect(
      read.blocks
        .filter((block) => block.place === place)
        .map((block) => block.text)
        .join('\n'),
    ).toContain(text)
    expect(read.date).toBe(date)
    expect(read.sha256).toBe(fingerprint(readFileSync(join(folder, name))))
    expect(read.cut).toBeUndefined()
  })

  test.each([
    ['old-survey-scan.pdf', 'no text: 12 scanned pages'],
    ['sealed-results.pdf', 'it is encrypted'],
    ['torn-copy.pdf', 'it cannot be read: Invalid PDF structure.'],
  ])('%s is skipped: %s', async (name, skipped) => {
    expect(await readDocument(join(folder, name), options)).toEqual({ skipped })
  })
})

describe('files that are skipped', () => {
  const broken = { 'a.docx': makeDocx(wordParagraph('words')).subarray(0, 500) }
  const cipher =
    '<e><EncryptedData><CipherData><CipherReference URI="OEBPS/text/s%200.xhtml"/></CipherData></EncryptedData></e>'
  test.each<[name: string, bytes: string | Buffer, why: RegExp]>([
    ['a.docx', broken['a.docx'], /^it is no DOCX file, or a broken one: /],
    ['a.docx', 'PK', /^it is no DOCX file, or a broken one: /],
    ['a.docx', 'no archive at all', /^it is no DOCX file, or a broken one: /],
    ['a.docx', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /^it is encrypted$/],
    ['a.docx', makeZip({ 'word/document.xml': '<w:p/>' }, { encrypted: true }), /^it is encrypted$/],
    ['a.docx', makeZip({ 'other.txt': 'x' }), /^it is not a DOCX file: it has no text part$/],
    ['a.docx', makeDocx(''), /^it contains no text$/],
    [
      'a.epub',
      makeZip({ mimetype: 'application/epub+zip' }),
      /^it is not an EPUB file: it has no table of its parts$/,
    ],
    ['a.epub', makeEpub(['<p>x</p>'], { parts: { 'META-INF/encryption.xml': cipher } }), /^it is encrypted$/],
    ['a.ipynb', '{"cells": [', /^it is not a notebook, or a broken one: /],
    ['a.ipynb', '{"name": "package"}', /^it is not a notebook: it has no cells$/],
    ['a.ipynb', '['.repeat(1_000_000), /^it is (?:broken|no notebook)/],
    ['a.html', 'a\0b', /^it is not text in a known encoding$/],
    ['a.html', '<script>1</script>', /^it contains no text$/],
    ['a.html', '<div>'.repeat(50_000), /^it is nested too deeply$/],
    ['a.csv', Buffer.from([1, 0, 2, 0]), /^it is not text in a known encoding$/],
    ['a.pdf', '', /^it is empty$/],
    ['a.pdf', scannedPdf(1), /^no text: 1 scanned page$/],
    ['a.xls', 'x', /^an old Excel file: save it as XLSX or CSV$/],
    ['a.xlsx', makeZip({ 'other.txt': 'x' }), /^it is not an XLSX file: it has no workbook$/],
    ['a.pptx', makeZip({ 'other.txt': 'x' }), /^it is not a PPTX file: it has no presentation$/],
    ['a.bin', 'x', /^its format is not supported$/],
  ])('%s %#', async (name, bytes, why) => {
    const read = await readDocument(join(scratchWith({ [name]: bytes }), name), options)
    expect(read).toEqual({ skipped: expect.stringMatching(why) })
  })

  test('rejects a pipe, a directory, a link, a file of 2 GB and a missing file', async () => {
    const dir = scratchWith({ 'real.csv': 'a,b\n1,2\n', 'huge.pdf': '%PDF-1.4' })
    execFileSync('mkfifo', [join(dir, 'pipe.pdf')])
    mkdirSync(join(dir, 'folder.pdf'))
    symlinkSync(join(dir, 'real.csv'), join(dir, 'link.csv'))
    truncateSync(join(dir, 'huge.pdf'), 2 ** 31)
    const why = async (name: string) => await readDocument(join(dir, name), options)
    expect(await why('pipe.pdf')).toEqual({ skipped: 'it is a named pipe; only regular files can be opened' })
    expect(await why('folder.pdf')).toEqual({ skipped: 'it is a directory' })
    expect(await why('link.csv')).toMatchObject({ skipped: expect.stringContaining('behind a link') })
    expect(await why('huge.pdf')).toEqual({ skipped: 'it is larger than 32 MiB' })
    expect(await why('gone.pdf')).toEqual({ skipped: 'it does not exist' })
  })

  test('skips every document after a cancel', async () => {
    const signal = AbortSignal.abort()
    for (const [name, bytes] of Object.entries(papers)) {
      const kind = name.endsWith('pdf') ? 'pdf' : 'html'
      expect(await parseDocument(bytes, kind, { signal })).toEqual({ skipped: 'it was cancelled' })
    }
  })
})

describe('limits', () => {
  const page = Buffer.from(Array.from({ length: 200 }, (_, i) => `<p>paragraph of ${i}</p>`).join('\n'))

  test.each([
    [{ blocks: 10 }, 'the first 10 paragraphs or rows', 10],
    [{ chars: 100 }, 'the first 100 characters', 7],
  ])('of %j keep the blocks before the limit', async (limits, cut, count) => {
    const read = await parseDocument(page, 'html', { ...options, limits })
    if ('skipped' in read) throw new Error(read.skipped)
    expect([read.cut, read.blocks.length]).toEqual([cut, count])
  })

  test('of time and size end the reading', async () => {
    expect(await parseDocument(page, 'html', { ...options, limits: { ms: -1 } })).toEqual({
      skipped: 'it takes longer than -0.001 s',
    })
    const path = join(scratchWith({ 'a.html': page }), 'a.html')
    expect(await readDocument(path, { ...options, limits: { bytes: 1 } })).toMatchObject({
      skipped: expect.stringContaining('it is larger than'),
    })
  })

  test.each<[string, 'docx' | 'epub', Buffer, RegExp]>([
    [
      'one part',
      'docx',
      makeZip({ 'word/document.xml': Buffer.alloc(300 << 20, ' ') }),
      /unpacks to more than 64 MiB/,
    ],
    [
      'a part that lies about its size',
      'docx',
      makeZip({ 'word/document.xml': Buffer.alloc(80 << 20, ' ') }, { claimedSize: 10 }),
      /^it is broken: /,
    ],
    [
      'many parts',
      'epub',
      makeEpub(Array.from({ length: 40 }, () => `<p>${' '.repeat(4 << 20)}</p>`)),
      /unpacks to more than 64 MiB/,
    ],
  ])('does not unpack a bomb of %s', async (_, kind, bytes, why) => {
    const before = process.memoryUsage.rss()
    const began = performance.now()
    expect(await parseDocument(bytes, kind, options)).toEqual({ skipped: expect.stringMatching(why) })
    expect(process.memoryUsage.rss() - before).toBeLessThan(120 << 20)
    expect(performance.now() - began).toBeLessThan(20_000)
  })

  test('does not expand declared entities', async () => {
    const lol = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
    const xml = `<!DOCTYPE d [<!ENTITY l0 "lol">${lol}<!ENTITY file SYSTEM "file:///etc/passwd">]>`
    const bytes = makeDocx(wordParagraph('before &l9; &file; after'))
    const head = makeZip({
      'word/document.xml': `${xml}<w:document><w:body>${wordParagraph('before &l9; &file; after')}</w:body></w:document>`,
    })
    for (const one of [bytes, head]) {
      const read = await parseDocument(one, 'docx', options)
      expect(read).toMatchObject({ blocks: [{ text: 'before &l9; &file; after', place: 'paragraph 1' }] })
    }
  })
})

test('stops at a paragraph longer than the document limit, and keeps the blocks before it', async () => {
  const long = 'a '.repeat(2_100_000)
  const options = { signal: new AbortController().signal }
  const docx = await parseDocument(makeDocx(wordParagraph('before') + wordParagraph(long)), 'docx', options)
  const html = await parseDocument(Buffer.from(`<p>before</p><p>${long}`), 'html', options)
  for (const read of [docx, html])
    expect(read).toMatchObject({
      blocks: [{ text: 'before' }],
      cut: 'the text before a paragraph of more than 4 million characters',
    })
  expect(await parseDocument(makeDocx(wordParagraph(long)), 'docx', options)).toEqual({
    skipped: 'no text in the text before a paragraph of more than 4 million characters',
  })
})
