// Documents as the tool shows them: truncated, rejected, hostile, and the facts of sound files.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { readDocumentTool } from '../../../../internal/tools/files/read_document.ts'
import { call, ctxWith } from '../../../support/ctx.ts'
import { papers } from '../../../support/papers.ts'
import { scratchWith } from '../../../support/scratch.ts'
import { makeDocx, makeZip, wordParagraph } from '../../../support/zip.ts'

const read = (dir: string, args: Record<string, unknown>) =>
  call(readDocumentTool, args, ctxWith({}, { cwd: dir }))

function wave(seconds: number): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt32LE(8_000, 28)
  head.write('data', 36)
  head.writeUInt32LE(seconds * 8_000, 40)
  return Buffer.concat([head, Buffer.alloc(seconds * 8_000)])
}

test('truncates text, shows the length of sounds, and rejects other types', async () => {
  const dir = scratchWith({
    'a.docx': makeDocx(wordParagraph('words and words')),
    'a.wav': wave(2),
    'a.mp3': Buffer.from('ID3\x04\0\0'),
    'a.txt': 'text',
    'scan.pdf': papers['old-survey-scan.pdf'] as Buffer,
  })
  const cut = await read(dir, { path: 'a.docx', max_chars: 5 })
  expect(cut.text).toBe('words\n[the first 5 of 15 characters]')
  expect(cut.data).toMatchObject({ kind: 'docx', truncated: true, total_chars: 15, total_lines: 1 })
  expect((await read(dir, { path: 'a.wav' })).text).toBe('a.wav: wav sound, 16044 bytes, 2 s')
  expect((await read(dir, { path: 'a.mp3' })).text).toBe('a.mp3: mp3 sound, 6 bytes')
  expect(await read(dir, { path: 'a.txt' })).toMatchObject({ failed: { code: 'binary_or_encoding' } })
  expect(await read(dir, { path: 'a.docx', only: 'pdf' })).toMatchObject({
    failed: { message: 'a.docx: it is not a PDF' },
  })
  // scanned pages are not a failure, they only have no text
  expect((await read(dir, { path: 'scan.pdf' })).text).toBe('[no text: 12 scanned pages]')
})

/** Texts that unpack to an enormous size, form cycles, or nest without end. */
const hostile = {
  'bomb.docx': makeDocx(wordParagraph('x'.repeat(66 << 20))),
  'claims.xlsx': makeZip({ 'xl/workbook.xml': ' '.repeat(70 << 20) }, { claimedSize: 10 }),
  'parts.pptx': makeZip(Object.fromEntries(Array.from({ length: 21_000 }, (_, i) => [`p${i}`, '']))),
  'deep.docx': makeDocx('<w:p>'.repeat(100_000)),
  'circle.pptx': makeZip({
    'ppt/presentation.xml': `<p>${'<p:sldId r:id="a"/>'.repeat(10_000)}</p>`,
    'ppt/_rels/presentation.xml.rels': '<R><Relationship Id="a" Target="presentation.xml"/></R>',
  }),
  'wide.xlsx': makeZip({
    'xl/workbook.xml': '<w><sheet name="s" r:id="a"/></w>',
    'xl/_rels/workbook.xml.rels': '<R><Relationship Id="a" Target="s.xml"/></R>',
    'xl/s.xml': `<s>${'<row><c r="ZZZ1"><v>1</v></c></row>'.repeat(300_000)}</s>`,
  }),
  'laughs.docx': makeZip({
    'word/document.xml': `<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 20 }, (_, i) => `<!ENTITY a${i} "&a;&a;&a;">`).join('')}]><w:p><w:t>&a19;</w:t></w:p>`,
  }),
} as const

test('rejects or truncates hostile documents within their time and memory', async () => {
  const dir = scratchWith(hostile)
  const before = process.memoryUsage.rss()
  for (const path of Object.keys(hostile)) {
    const began = performance.now()
    const { text } = await read(dir, { path })
    expect(text.length, path).toBeLessThan(20_000)
    expect(performance.now() - began, path).toBeLessThan(10_000)
  }
  expect(process.memoryUsage.rss() - before).toBeLessThan(300 << 20)
})

test('truncates a PDF of ten thousand pages', async () => {
  const objects = ['<</Type/Catalog/Pages 2 0 R>>', '']
  const kids = Array.from({ length: 10_000 }, (_, i) => `${i + 3} 0 R`)
  objects[1] = `<</Type/Pages/Count 10000/Kids[${kids.join(' ')}]>>`
  for (let i = 0; i < 10_000; i++) objects.push('<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>')
  const body = objects.map((one, i) => `${i + 1} 0 obj\n${one}\nendobj\n`)
  const dir = scratchWith({ 'long.pdf': `%PDF-1.4\n${body.join('')}trailer <</Root 1 0 R>>\n` })
  const began = performance.now()
  const { text } = await read(dir, { path: 'long.pdf', timeout_ms: 2_000 })
  expect(text).toMatch(/no text in the first \d+ of 10,000 scanned pages|takes longer/)
  expect(performance.now() - began).toBeLessThan(10_000)
})

test('writes images of a PDF to files with the same pixels', async () => {
  const dir = scratchWith({})
  // smaller images are part of the drawing
  const rgb = Buffer.from(Array.from({ length: 8 * 8 * 3 }, (_, i) => i))
  const image = (data: Buffer) =>
    `<</Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace/DeviceRGB/BitsPerComponent 8/Length ${data.length}>>\nstream\n${data.toString('latin1')}\nendstream`
  const shows = 'q 9 0 0 9 0 0 cm /A Do /B Do /A Do Q'
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</XObject<</A 5 0 R/B 6 0 R>>>>>>',
    `<</Length ${shows.length}>>\nstream\n${shows}\nendstream`,
    image(rgb),
    image(Buffer.alloc(192, 7)),
  ].map((one, i) => `${i + 1} 0 obj\n${one}\nendobj\n`)
  const file = Buffer.from(`%PDF-1.4\n${objects.join('')}trailer <</Root 1 0 R>>\n`, 'latin1')
  writeFileSync(join(dir, 'a.pdf'), file)
  const ctx = ctxWith({}, { cwd: dir, env: { XDG_CACHE_HOME: dir } })
  const { data, text } = await call(readDocumentTool, { path: 'a.pdf' }, ctx)
  const { image_paths: paths } = data as { image_paths: string[] }
  expect(data).toMatchObject({ image_count: 2, image_paths_truncated: false })
  expect(text).toContain(`picture: ${paths[0]}`)
  const { data: pixels, info } = await sharp(paths[0]).raw().toBuffer({ resolveWithObject: true })
  expect([info.width, info.height, info.channels]).toEqual([8, 8, 3])
  expect(pixels.equals(rgb)).toBe(true)
  const one = await call(readDocumentTool, { path: 'a.pdf', max_images: 1 }, ctx)
  expect(one.data).toMatchObject({ image_count: 1, image_paths: [paths[0]], image_paths_truncated: true })
})

test('a pipe is not a document', async () => {
  const dir = scratchWith({})
  execFileSync('mkfifo', [join(dir, 'a.pdf')])
  expect((await read(dir, { path: 'a.pdf' })).failed?.code).toMatch(/^\w+$/)
})
