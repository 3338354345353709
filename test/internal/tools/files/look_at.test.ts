// look_at: paths, targets, and files that are not images.
import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { lookAt } from '../../../../internal/tools/files/look_at.ts'
import { variantOf } from '../../../../internal/tools/variants/index.ts'
import { accessOf, call, ctxWith } from '../../../support/ctx.ts'
import { makeImagePdf, makePdf } from '../../../support/pdf.ts'
import { plant } from '../../../support/search.ts'
import { makeDocx, makeEpub, makeZip, wordParagraph } from '../../../support/zip.ts'

const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
  .png()
  .toBuffer()
const dir = plant({
  'shot.png': png,
  'named.txt': png,
  'icon.svg': '<svg width="5" height="6"/>',
  'paper.pdf': makePdf(['hello']),
  'note.md': '# text',
  'data.bin': 'a\0b',
  '.env.png': png,
  'sub/x': '',
})
const targets = {
  home: 'shot.png',
  gone: 'gone.png',
  web: 'https://example.com/a.png',
  secret: '.env.png',
  out: '/etc/hostname',
}
const base = ctxWith({}, { cwd: dir })
const ctx = ctxWith({}, { cwd: dir, settings: { ...base.settings, lookAt: { targets } } })
const look = (args: Record<string, unknown>) => call(lookAt, args, ctx)

test('shows an image with a question', async () => {
  const { text, data, media } = await look({ path: 'shot.png', question: ' Is it red? ' })
  expect(text).toMatch(
    /^shot\.png: png picture, 40 × 30, \d+ bytes\nQuestion: Is it red\?\n\[the picture follows/,
  )
  expect(data).toMatchObject({
    path: 'shot.png',
    question: 'Is it red?',
    kind: 'picture',
    width: 40,
    height: 30,
  })
  const shown = await sharp(Buffer.from(media?.[0]?.base64 ?? '', 'base64')).metadata()
  expect(shown).toMatchObject({ format: 'jpeg', width: 40, height: 30 })
})

test('detects the file type from the content', async () => {
  expect((await look({ path: 'named.txt' })).data).toMatchObject({ kind: 'picture', format: 'png' })
  expect((await look({ path: 'icon.svg' })).data).toMatchObject({ kind: 'svg', width: 5 })
  expect((await look({ path: 'paper.pdf' })).data).toMatchObject({ kind: 'pdf', pages: 1 })
})

test('shows office files and books as text, with their type', async () => {
  const sheet =
    '<worksheet><sheetData><row r="1"><c t="inlineStr"><is><t>depth</t></is></c></row></sheetData></worksheet>'
  const relation = (type: string, target: string) =>
    `<Relationships><Relationship Id="a" Type="http://x/${type}" Target="${target}"/></Relationships>`
  const office = plant({
    'report.docx': makeDocx(wordParagraph('Oats', 'berschrift1') + wordParagraph('They dry for 16 h.')),
    'tides.xlsx': makeZip({
      'xl/workbook.xml': '<workbook><sheets><sheet name="Pools" r:id="a"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': relation('worksheet', 'worksheets/one.xml'),
      'xl/worksheets/one.xml': sheet,
    }),
    'talk.PPTX': makeZip({
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="a"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relation('slide', 'slides/one.xml'),
      'ppt/slides/one.xml':
        '<p:sld><p:sp><p:txBody><a:p><a:r><a:t>Why oats</a:t></a:r></a:p></p:txBody></p:sp></p:sld>',
    }),
    'nests.epub': makeEpub(['<p>19 young fledged.</p>', '<p>The end.</p>']),
    'sealed.docx': makeDocx(wordParagraph('x'), {}, { encrypted: true }),
    'old.doc': Buffer.from('d0cf11e0a1b11ae100', 'hex'),
    'bundle.zip': makeZip({ 'a.txt': 'x' }),
  })
  const inOffice = ctxWith({}, { cwd: office })
  const lookIn = async (path: string) => (await call(lookAt, { path }, inOffice)).text
  expect(await lookIn('report.docx')).toMatch(/^report\.docx: Word document\n# Oats\n\nThey dry for 16 h\.$/)
  expect(await lookIn('tides.xlsx')).toMatch(/^tides\.xlsx: Excel workbook, 1 sheet\n[\s\S]*depth/)
  expect(await lookIn('talk.PPTX')).toMatch(/^talk\.PPTX: PowerPoint presentation, 1 slide\n[\s\S]*Why oats/)
  expect(await lookIn('nests.epub')).toMatch(/^nests\.epub: EPUB book, 2 chapters[\s\S]*19 young fledged/)
  expect(await lookIn('sealed.docx')).toMatch(
    /^sealed\.docx: Word document\n\[no text: .*(encrypted|key|password)/,
  )
  expect(await lookIn('old.doc')).toMatch(/^old\.doc: an old Word file: save it as DOCX/)
  expect((await call(lookAt, { path: 'bundle.zip' }, inOffice)).failed?.code).toBe('binary_or_encoding')
})

test('accepts a target instead of a path', async () => {
  expect((await look({ target: 'home' })).data).toMatchObject({ path: 'shot.png', target: 'home' })
})

test.each([
  [{}, 'bad_args', /either path or target/],
  [{ path: 'shot.png', target: 'home' }, 'bad_args', /either path or target/],
  [{ path: 'note.md' }, 'bad_args', /use read/],
  [{ path: 'data.bin' }, 'binary_or_encoding', /no format/],
  [{ path: 'sub' }, 'is_directory', /directory/],
  [{ path: 'gone.png' }, 'not_found', /gone\.png/],
  [{ path: '../x.png' }, 'outside_workspace', /outside/],
  [{ target: 'hom' }, 'not_found', /did you mean home/],
  [{ target: 'toString' }, 'not_found', /known: home/],
  [{ target: 'gone' }, 'not_found', /gone\.png/],
  [{ target: 'web' }, 'unavailable', /address/],
  [{ target: 'secret' }, 'sensitive_path', /give it as path/],
  [{ target: 'out' }, 'outside_workspace', /outside/],
])('%j fails with %s', async (args, code, reason) => {
  const { failed, text } = await look(args)
  expect(failed?.code).toBe(code)
  expect(text).toMatch(reason)
})

test('fails without targets', async () => {
  expect((await call(lookAt, { target: 'x' }, base)).text).toContain('none are configured')
})

test('does not open a link out of the workspace or a pipe', async () => {
  symlinkSync('/etc/hostname', join(dir, 'link.png'))
  expect((await look({ path: 'link.png' })).failed?.code).toBe('outside_workspace')
  execFileSync('mkfifo', [join(dir, 'pipe.png')])
  expect((await look({ path: 'pipe.png' })).failed?.code).toBe('io')
})

test('passes the path to the rules', () => {
  expect(accessOf(lookAt, { path: 'a', target: undefined, question: undefined }).scope).toEqual([
    { kind: 'path', path: 'a', access: 'read' },
  ])
})

test('an adapter may request the original bytes, by the extension alone', async () => {
  const place = plant({
    'a.PNG': 'no picture',
    'b.txt': 'text',
    'c.bin': Buffer.from([0, 1, 255]),
    'd.bin': Buffer.alloc(256 * 1024 + 1),
  })
  const look = (args: Record<string, unknown>) => call(lookAt, args, ctxWith({}, { cwd: place }), 'adapter')
  expect((await look({ path: 'a.PNG', as_is: true })).media).toEqual([
    { type: 'image', mime: 'image/png', base64: Buffer.from('no picture').toString('base64') },
  ])
  expect((await look({ path: 'b.txt', as_is: true })).failed?.code).toBe('bad_args')
  expect(await look({ path: 'c.bin', base64: true })).toMatchObject({ text: 'AAH/', data: { bytes: 3 } })
  expect((await look({ path: 'd.bin', base64: true })).failed?.code).toBe('too_large')
})

const gray = {
  dictionary: '/Width 64/Height 64/ColorSpace/DeviceGray/BitsPerComponent 8',
  bytes: Buffer.alloc(4096, 9),
}
const shownFiles = plant({
  'shot.png': png,
  'paper.pdf': makeImagePdf([gray]),
  'text.docx': makeDocx(wordParagraph('Hello')),
  'data.bin': 'a\0b',
  'note.md': '# text',
  'old.doc': Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
})

test.each([
  ['shot.png', 1, false],
  ['paper.pdf', 1, false],
  ['text.docx', 0, false],
  ['data.bin', 0, true],
  ['note.md', 0, true],
  ['old.doc', 0, true],
])(
  'an adapter that requests images or base64 gets %s as media %i, base64 %s',
  async (path, count, isText) => {
    const own = ctxWith({}, { cwd: shownFiles })
    const { media = [], text } = await variantOf(lookAt).run({ path, base64: true, pictures: 8 }, own)
    const [pictures, documents] = ['image', 'document'].map((kind) =>
      media.filter(({ type }) => type === kind),
    )
    expect(documents).toHaveLength(path.endsWith('.pdf') ? 1 : 0)
    expect(pictures).toHaveLength(count)
    for (const { mime, base64 } of pictures ?? []) {
      expect(mime).toMatch(/^image\//)
      expect(await sharp(Buffer.from(base64, 'base64')).metadata()).toMatchObject({ format: mime.slice(6) })
    }
    const bytes = readFileSync(join(shownFiles, path))
    expect(text === bytes.toString('base64')).toBe(isText)
  },
)
