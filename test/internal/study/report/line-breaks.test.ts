// Line breaks of Markdown in every form of a report: a break where the source has a hard one, and no mark of it.
import { inflateRawSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { readPdf } from '../../../../internal/media/pdf.ts'
import { documentOf } from '../../../../internal/study/report/document.ts'
import { renderDocx } from '../../../../internal/study/report/docx.ts'
import { renderHtml } from '../../../../internal/study/report/html.ts'
import { renderMarkdown } from '../../../../internal/study/report/markdown.ts'
import { renderPdf } from '../../../../internal/study/report/pdf.ts'
import { layOutQuote } from '../../../../internal/study/report/quotation/quote-blocks.ts'
import { renderText } from '../../../../internal/study/report/text.ts'
import { readQuote } from '../../../../internal/study/report/text-runs.ts'
import { reported } from '../../../support/study.ts'

/** The answers, each with a word before and after its line end, and whether the line breaks there. */
const answers: readonly [string, string, boolean][] = [
  ['paragraph, backslash', 'begin\\\nended [C1.1]', true],
  ['paragraph, two spaces', 'begin  \nended [C1.1]', true],
  ['paragraph, soft', 'begin\nended [C1.1]', false],
  ['paragraph, escaped backslash', 'begin\\\\\nended [C1.1]', false],
  ['list, backslash', '- begin\\\n  ended [C1.1]', true],
  ['list, two spaces', '1. begin  \n   ended [C1.1]', true],
  ['quote, backslash', '> begin\\\n> ended', true],
  ['quote, two spaces', '> begin  \n> ended', true],
  ['quote, soft', '> begin\n> ended', false],
  ['emphasis', '*begin\\\nended* [C1.1]', true],
  ['link', '[begin\\\nended](https://a.example) [C1.1]', true],
]

const write = (answer: string) => {
  const document = documentOf(reported())
  return { ...document, sections: { ...document.sections, answer } }
}
/** Matches the two words with a line end between them, which may have marks of the form around it. */
const broken = /begin(?:\]\(\S+\)| \(\S+\))?[^\w<\n]*(?:<br>|<\/p><p>|\n)\W*ended/

it.each(answers)('%s: terminal, Markdown and HTML', (name, answer, isBroken) => {
  const look = { width: 60, color: 0, unicode: true, plain: false, ambiguous: 1, all: false } as const
  const plain = renderText(write(answer), look)
  const markdown = renderMarkdown(write(answer))
  const html = renderHtml(write(answer))
  const ends = [plain, markdown, html].map((text) => broken.test(text))
  expect(ends).toEqual([isBroken, isBroken, isBroken])
  const isShown = name.includes('escaped')
  expect([plain, html].map((text) => /begin\S*\\/.test(text))).toEqual([isShown, isShown])
})

it.each(answers)('%s: Word and PDF', async (name, answer, isBroken) => {
  const xml = readDocument(Buffer.from(await renderDocx(write(answer))))
  const docx = /begin.*?ended/s.exec(xml)?.[0] ?? ''
  expect(/<w:br\/>|<\/w:p>/.test(docx)).toBe(isBroken)
  const limits = { chars: 9_000, pages: 9, ms: 20_000, memory: 1 << 30, signal: new AbortController().signal }
  const pdf = await readPdf(new Uint8Array(await renderPdf(write(answer))), limits)
  const text = typeof pdf === 'string' ? pdf : pdf.text
  expect(/begin\S*\s*\n\s*ended/.test(text)).toBe(isBroken)
  const isShown = name.includes('escaped')
  expect([docx, text].map((form) => /begin[^<\s]*\\/.test(form))).toEqual([isShown, isShown])
})

it('a quote of Markdown breaks its lines, on one line among the sources, and programs keep their backslashes', () => {
  const quote = 'Set the *first*\\\nvalue  \nand then\nthe last.'
  const text = 'Set the *first*\nvalue\nand then the last.'
  const keys = ['Set the *first*', 'value', 'and then the last.']
  expect(layOutQuote({ quote, path: 'a.md' })).toEqual([
    { kind: 'quote', text, markup: 'markdown', keys: [] },
  ])
  const key = 'value  \nand then'
  expect(layOutQuote({ quote, key, path: 'a.md' })).toMatchObject([{ text, keys: ['value', 'and then'] }])
  expect(layOutQuote({ quote, key: quote, path: 'a.md' })).toMatchObject([{ text, keys }])
  const source = { claim: 'C1.1', place: 'a', note: '', text: quote, markup: 'markdown' as const }
  expect(readQuote(source).map((run) => run.text)).toEqual(['Set the ', 'first', ' value and then the last.'])
  expect(layOutQuote({ quote: '# run \\\n# this\nmake', path: 'a.sh' })).toMatchObject([
    { kind: 'quote', text: 'run \\ this' },
    { kind: 'code', text: 'make' },
  ])
})

/** Returns the main part of a Word document. */
function readDocument(bytes: Buffer): string {
  const at = bytes.indexOf('word/document.xml', 0, 'latin1') - 30
  const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
  const end = bytes.indexOf('PK\x03\x04', start, 'latin1')
  const body = bytes.subarray(start, end < 0 ? undefined : end)
  return (bytes.readUInt16LE(at + 8) === 8 ? inflateRawSync(body) : body).toString('utf8')
}
