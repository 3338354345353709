// The short form of `npm run bench:documents`: own documents, and a comparison that finds what is wrong.
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { parseDocument } from '../../internal/document/document.ts'
import { layOutDocument } from '../../internal/document/document-lines.ts'
import { papers } from '../support/papers.ts'
import { rng } from '../support/rng.ts'
import { scratchWith } from '../support/scratch.ts'
import { makeDocx, makeEpub, makeZip, wordParagraph, wordTable } from '../support/zip.ts'

interface Reference {
  text: string
  also?: string
}
/** Plain scripts, so without types. */
const { compareWords } = (await import('./documents/words.mjs' as string)) as {
  compareWords: (text: string, reference: Reference) => { words: number; missing: string[]; wrong: string[] }
}
const { referenceOf } = (await import('./documents/references.mjs' as string)) as {
  referenceOf: (path: string, bytes: Buffer, file: { kind: string; encoding?: string }) => Reference | string
}

const random = rng(30)
const vocabulary =
  'harbour ship crew 412 19:40 2.5 % Größe Œuvre préférée Привет город مدينة מספר 東京の船 客船八点 창고의 정원 thành phố naïve x² ½ № 7'.split(
    ' ',
  )
const words = (count: number) =>
  Array.from({ length: count }, () => vocabulary[Math.floor(random() * vocabulary.length)]).join(' ')
const many = (count: number) => Array.from({ length: count }, () => words(1 + Math.floor(random() * 12)))

const relations = (links: Record<string, [type: string, target: string]>) =>
  `<Relationships>${Object.entries(links)
    .map(([id, [type, target]]) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`
const shape = (text: string) => `<p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`
const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`

function workbook(): Buffer {
  const numbers = [0.025, 412, 1e-7, 45_292.5, -3.25].map((n) => `<c><v>${n}</v></c>`).join('')
  const rows = many(20).map((text) => `<row>${cell(text)}${cell(words(2))}${numbers}</row>`)
  return makeZip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="Crew" r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations({ a: ['worksheet', 'worksheets/one.xml'] }),
    'xl/worksheets/one.xml': `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`,
  })
}
const slides = () =>
  makeZip({
    'ppt/presentation.xml':
      '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="a"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relations({ a: ['slide', 'slides/slide1.xml'] }),
    'ppt/slides/slide1.xml': many(12).map(shape).join(''),
  })
const letter = () =>
  makeDocx(
    many(40)
      .map((text) => wordParagraph(text))
      .join('') + wordTable([many(3), many(3)]),
  )
const page = () =>
  Buffer.from(
    `<html><body>${many(30)
      .map((text) => `<p>${text}</p>`)
      .join('')}<table><tr><td>${words(3)}<br>${words(2)}</td></tr></table></body></html>`,
  )
const encoded = (text: string, encoding: string) =>
  execFileSync('iconv', ['-f', 'UTF-8', '-t', encoding], { input: text })
const mail = () =>
  Buffer.from(
    `From: a@example.org\nSubject: times\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n${Buffer.from(words(60)).toString('base64')}\n`,
  )

const documents: readonly [name: string, kind: string, bytes: () => Buffer, encoding?: string][] = [
  ['letter.docx', 'docx', letter],
  ['crew.xlsx', 'xlsx', workbook],
  ['talk.pptx', 'pptx', slides],
  ['page.html', 'html', page],
  [
    'book.epub',
    'epub',
    () => makeEpub(many(5).map((text) => `<h1>${words(2)}</h1><p>${text}&nbsp;${words(1)}</p>`)),
  ],
  ['mail.eml', 'mail', mail],
  ['tide.pdf', 'pdf', () => papers['tide-pools.pdf'] as Buffer],
  [
    'ja.csv',
    'text',
    () => encoded('都市,数\n東京,412\nフェリーは毎日出発します\n', 'SHIFT_JIS'),
    'shift_jis',
  ],
  ['zh.csv', 'text', () => encoded('城市,数量\n北京,412\n客船每天出发\n', 'GBK'), 'gbk'],
  ['ru.csv', 'text', () => encoded('город,число\nАнадырь,412\nПинега,97\n', 'CP1251'), 'windows-1251'],
  ['pl.csv', 'text', () => encoded('miasto,liczba\nŁódź,412\nKraków,żółty\n', 'CP1250'), 'windows-1250'],
]
const kinds: Readonly<Record<string, string>> = { text: 'table' }

async function readBoth([name, kind, make, encoding]: (typeof documents)[number]) {
  const bytes = make()
  const read = await parseDocument(bytes, (kinds[kind] ?? kind) as 'docx', {
    signal: new AbortController().signal,
  })
  if ('skipped' in read) throw new Error(read.skipped)
  const path = `${scratchWith({ [name]: bytes })}/${name}`
  const reference = referenceOf(path, bytes, { kind, ...(encoding !== undefined && { encoding }) })
  return { text: layOutDocument(read.blocks).lines.join('\n'), reference }
}

describe.each(documents)('%s', (...row) => {
  test('contains the words of its reference, and no others', async () => {
    const { text, reference } = await readBoth(row as (typeof documents)[number])
    if (typeof reference === 'string') return
    const { words: count, missing, wrong } = compareWords(text, reference)
    expect(count).toBeGreaterThan(5)
    expect(missing.length).toBeLessThanOrEqual(count * 0.02)
    expect(wrong).toEqual([])
  })

  test('is found wrong with another number, other letters, or without a part', async () => {
    const { text, reference } = await readBoth(row as (typeof documents)[number])
    if (typeof reference === 'string') return
    expect(compareWords(`${text}\n98765`, reference).wrong).toEqual(['98765'])
    expect(compareWords(`${text}\nþorn`, reference).wrong).toEqual(['þorn'])
    const { missing, words: count } = compareWords(text.slice(0, text.length / 2), reference)
    expect(missing.length).toBeGreaterThan(count * 0.02)
  })
})
