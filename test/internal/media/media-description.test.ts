// The description of each file type.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { describePdf, describePicture, describeSvg } from '../../../internal/media/media-description.ts'
import { makePdf } from '../../support/pdf.ts'

const file = (bytes: Buffer, whole = true) => ({ shown: 'x', size: bytes.length, bytes, whole })
const none = new AbortController().signal

test('describes an image, whole and in part', async () => {
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const look = await describePicture(file(bytes))
  expect(look.summary).toBe(`x: png picture, 40 × 30, ${bytes.length} bytes`)
  expect(look.body).toMatch(/^\[the picture follows as jpeg, 40 × 30, \d+ bytes\]$/)
  expect(look.media).toMatchObject([{ type: 'image', mime: 'image/jpeg' }])
  const part = await describePicture(file(bytes, false))
  expect(part).toMatchObject({ body: '[the picture is not shown: it is too large to be opened]' })
  expect(part.data).toMatchObject({ width: 40, height: 30, sent: null })
  expect(part.media).toBeUndefined()
})

test('describes an SVG file, and truncates a long one', () => {
  const look = describeSvg(file(Buffer.from('<svg width="5" height="6"/>')))
  expect(look).toMatchObject({ summary: 'x: SVG, 5 × 6, 27 bytes', body: '<svg width="5" height="6"/>' })
  const long = describeSvg(file(Buffer.from(`<svg>${'x'.repeat(20_000)}</svg>`)))
  expect(long.body).toMatch(/\[the first 16000 characters; use read for the rest\]$/)
  expect(long.data).toMatchObject({ width: null, truncated: true })
})

test('describes a PDF file with and without text', async () => {
  const look = await describePdf(file(makePdf(['hello'], 'T')), none)
  expect(look.summary).toMatch(/^x: PDF, 1 page, “T”, /)
  expect(look.body).toBe('--- page 1 ---\nhello')
  const blank = await describePdf(file(makePdf(['', ''])), none)
  expect(blank.body).toBe('[it contains no text; its pages may be images]')
  const long = await describePdf(file(makePdf(Array.from({ length: 60 }, (_, i) => `page ${i}`))), none)
  expect(long.body).toContain('[text of the first 50 of 60 pages')
  expect(long.data).toMatchObject({ pages: 60, pages_read: 50, truncated: true })
  const broken = await describePdf(file(Buffer.from('%PDF-1.4 nothing')), none)
  expect(broken.body).toMatch(/^\[no text: it cannot be read/)
})
