// A report as a Word document, unpacked and read as XML.
import { inflateRawSync } from 'node:zlib'
import { DOMParser } from 'linkedom'
import { expect, it } from 'vitest'
import { documentOf } from '../../../../internal/study/report/document.ts'
import { renderDocx } from '../../../../internal/study/report/docx.ts'
import type { ReportDocument } from '../../../../internal/study/report/report-document.ts'
import { hostile, reported } from '../../../support/study.ts'

/** Returns the files of a ZIP archive, by the entries of its central directory. */
function unzip(bytes: Buffer): Map<string, string> {
  const files = new Map<string, string>()
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [method, packed] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)]
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as number[]
    const local = bytes.readUInt32LE(at + 42)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const body = bytes.subarray(start, start + packed)
    const path = bytes.toString('utf8', at + 46, at + 46 + (name as number))
    files.set(path, (method === 8 ? inflateRawSync(body) : body).toString('utf8'))
    at += 46 + (name as number) + (extra as number) + (comment as number)
  }
  return files
}

/** Returns style and text of every paragraph outside of tables. */
async function read(document: ReportDocument) {
  const files = unzip(Buffer.from(await renderDocx(document)))
  const xml = files.get('word/document.xml') as string
  const body = new DOMParser().parseFromString(xml, 'text/xml')
  const paragraphs = [...body.querySelectorAll('w\\:p')].map((paragraph) => ({
    style: paragraph.querySelector('w\\:pStyle')?.getAttribute('w:val') ?? '',
    text: [...paragraph.querySelectorAll('w\\:t')].map((run) => run.textContent).join(''),
  }))
  return { files, xml, paragraphs }
}

it('has headings, quotes and their positions', async () => {
  const { paragraphs, files } = await read(documentOf(reported()))
  const styled = (style: string) => paragraphs.filter((one) => one.style === style).map(({ text }) => text)
  expect(styled('Title')).toEqual(['How does the store lock files, and what happens on a crash?'])
  expect(styled('Heading1').slice(0, 3)).toEqual(['Answer', 'Findings', 'Contradictions'])
  expect(styled('Heading2')).toEqual(['lock files'])
  const texts = paragraphs.map(({ text }) => text)
  expect(texts).toContain('After a crash the journal is replayed.')
  expect(texts).toContain('[1] docs/lock.md:1-3')
  expect(texts).toContain('“After a crash the journal is replayed.” docs/lock.md:2 · C2.1 · verified')
  expect(files.get('docProps/core.xml')).toContain('How does the store lock files')
})

it('shows bold words bold and links positions', async () => {
  const document = documentOf(reported())
  const sections = {
    ...document.sections,
    answer: 'It is **30 s** in `a.ts`, *only* there, see [the guide](https://example.com/g) [C1.1].',
  }
  const sources = document.sources.map((source) => ({ ...source, link: 'https://example.org/a#L1' }))
  const { xml, files } = await read({ ...document, sections, sources })
  expect(xml).toMatch(/<w:b\/>(?:(?!<w:t)[\s\S])*<w:t[^>]*>30 s<\/w:t>/)
  expect(xml).toMatch(/<w:i\/>(?:(?!<w:t)[\s\S])*<w:t[^>]*>only<\/w:t>/)
  expect(files.get('word/_rels/document.xml.rels')).toContain('Target="https://example.com/g"')
  expect(files.get('word/_rels/document.xml.rels')).toContain('Target="https://example.org/a"')
  // Word stores the position within a page separately
  expect(xml).toContain('w:anchor="L1"')
})

it('converts foreign text to plain text only', async () => {
  const { xml, files } = await read(documentOf(hostile()))
  expect(xml).not.toMatch(/<script|[\x00-\x08\x1b\u202e]/)
  expect(files.get('word/_rels/document.xml.rels')).not.toMatch(/javascript:|evil/)
})
