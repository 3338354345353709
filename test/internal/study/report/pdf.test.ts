// A report as PDF, read back with a PDF reader.
import { expect, it } from 'vitest'
import { readPdf } from '../../../../internal/media/pdf.ts'
import { documentOf } from '../../../../internal/study/report/document.ts'
import { renderPdf } from '../../../../internal/study/report/pdf.ts'
import type { ReportDocument } from '../../../../internal/study/report/report-document.ts'
import { hostile, reported } from '../../../support/study.ts'

async function read(document: ReportDocument) {
  const bytes = Buffer.from(await renderPdf(document))
  const limits = {
    chars: 200_000,
    pages: 100,
    ms: 20_000,
    memory: 1 << 30,
    signal: new AbortController().signal,
  }
  const pdf = await readPdf(new Uint8Array(bytes), limits)
  if (typeof pdf === 'string') throw new Error(pdf)
  return { ...pdf, bytes, words: pdf.text.replace(/\s+/g, ' ') }
}

it('says what the other forms say, and equal reports are equal files', async () => {
  const document = documentOf(reported())
  const { title, pages, words, bytes } = await read(document)
  expect(title).toBe('How does the store lock files, and what happens on a crash?')
  expect(pages).toBeGreaterThan(0)
  const wanted = [
    'Partial result (gaps): part of the question is open. Answer docs/lock.md:2 [1] The store takes its lock',
    'Findings lock files docs/old.md:9 [2] The store',
    '[1] docs/lock.md:1-3',
    '“After a crash the journal is replayed.” docs/lock.md:2 · C2.1 · verified',
    't2 partial (no evidence for a part) 1 3.0 s crash',
    "anode study 'How does the store lock files",
  ]
  for (const text of wanted) expect(words).toContain(text)
  expect(Buffer.from(await renderPdf(document)).equals(bytes)).toBe(true)
})

it('shows letters of many languages, bold words and links', async () => {
  const document = documentOf(reported())
  const sections = { ...document.sections, answer: 'Größe → **łódź** Ωμέγα Привет `a.ts` [C1.1].' }
  const sources = document.sources.map((source) => ({ ...source, link: 'https://example.org/a#L1' }))
  const { words, bytes } = await read({ ...document, sections, sources })
  expect(words).toContain('Größe → łódź Ωμέγα Привет a.ts [1].')
  expect(words).not.toContain('no letters for')
  expect(bytes.toString('latin1')).toContain('/URI (https://example.org/a#L1)')
})

it('says which letters it lacks', async () => {
  const { words } = await read(documentOf(reported({ question: 'What is 锁 and 文件 and 锁?' })))
  expect(words).toContain('This file has no letters for 3 of the characters in it')
})

it('turns pages, and the words of one sentence stay in their order', async () => {
  const state = reported()
  const items = Array.from({ length: 120 }, (_, i) => `- finding ${i} is **bold** and long enough [C1.1]`)
  state.report = { markdown: `## Answer\n\nyes [C1.1]\n\n## Findings\n\n${items.join('\n')}`, uncited: 0 }
  const { pages, words } = await read(documentOf(state))
  expect(pages).toBeGreaterThan(3)
  for (let i = 0; i < 120; i++) expect(words).toContain(`finding ${i} is bold and long enough [1]`)
})

it('makes nothing of foreign text but text', async () => {
  const { bytes, words } = await read(documentOf(hostile()))
  expect(words).toContain('<script>alert(1)</script>')
  expect(bytes.toString('latin1')).not.toMatch(/\/(?:JS|JavaScript|URI|Launch)\b/)
})

it('never ends a page with the head of a table', async () => {
  const apart: number[] = []
  // each finding moves the table down by about a line, so one of the reports has its table at the page end
  for (const count of [0, ...Array.from({ length: 18 }, (_, i) => 40 + i)]) {
    const state = reported()
    const items = Array.from({ length: count }, (_, i) => `- finding ${i} [C1.1]`)
    state.report = { markdown: `## Answer\n\nyes [C1.1]\n\n## Findings\n\n${items.join('\n')}`, uncited: 0 }
    const { text } = await read(documentOf(state))
    const [, after = ''] = text.split(/Task\s+End\s+Claims\s+Time\s+Objective/)
    if (!/^\s*t1\b/.test(after)) apart.push(count)
  }
  expect(apart).toEqual([])
})
