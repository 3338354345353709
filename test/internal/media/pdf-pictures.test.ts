// Images of PDF files: each form of them is returned as pixels, or reported as missing.
import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { readPdfPages } from '../../../internal/media/pdf.ts'
import { extractPictures } from '../../../internal/media/pdf-pictures.ts'
import { makeImagePdf, type PdfImage } from '../../support/pdf.ts'
import { scratch } from '../../support/scratch.ts'

const [width, height] = [128, 96]
const pixels = width * height
const size = `/Width ${width}/Height ${height}`
const filled = (bytes: number, value: number) => Buffer.alloc(bytes, value)
const rgb = filled(pixels * 3, 120)
const jpeg = await sharp(rgb, { raw: { width, height, channels: 3 } })
  .jpeg()
  .toBuffer()
const image = (rest: string, bytes: Buffer, own = size): PdfImage => ({ dictionary: `${own}${rest}`, bytes })

const readable: Readonly<Record<string, PdfImage>> = {
  'raw RGB': image('/ColorSpace/DeviceRGB/BitsPerComponent 8', rgb),
  'packed RGB': image('/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/FlateDecode', deflateSync(rgb)),
  gray: image('/ColorSpace/DeviceGray/BitsPerComponent 8', filled(pixels, 90)),
  CMYK: image('/ColorSpace/DeviceCMYK/BitsPerComponent 8', filled(pixels * 4, 30)),
  '16 bits': image('/ColorSpace/DeviceRGB/BitsPerComponent 16', filled(pixels * 6, 1)),
  '1 bit': image('/ColorSpace/DeviceGray/BitsPerComponent 1', filled(pixels / 8, 0xf0)),
  indexed: image(
    '/ColorSpace[/Indexed/DeviceRGB 1 <000000ffffff>]/BitsPerComponent 1',
    filled(pixels / 8, 1),
  ),
  JPEG: image('/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode', jpeg),
  stencil: image('/ImageMask true/BitsPerComponent 1', filled(pixels / 8, 0xaa)),
}

const junk = Buffer.from('this is not a picture')
const broken: Readonly<Record<string, PdfImage>> = {
  'a JPEG that is not one': image('/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode', junk),
  'a JPEG 2000 that is not one': image('/Filter/JPXDecode', junk),
  'a JBIG2 that is not one': image('/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/JBIG2Decode', junk),
  'a broken packing': image('/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/FlateDecode', junk),
  'no size': image('/ColorSpace/DeviceRGB/BitsPerComponent 8', rgb, ''),
}

const limits = { chars: 10_000, pages: 50, ms: 30_000, pictures: 30, signal: new AbortController().signal }
const readAll = async (images: readonly PdfImage[]) => {
  const found = await readPdfPages(makeImagePdf(images), limits)
  if (typeof found === 'string') throw new Error(found)
  return found
}

test.each(Object.entries(readable))('returns an image as %s as pixels, next to the text', async (_, one) => {
  const { pictures, unread, runs } = await readAll([one])
  expect(unread).toBeUndefined()
  // a stencil is returned once for each position that shows it
  const forms = pictures.map((it) => `${it.width} ${it.height} ${it.pixels.length / it.channels}`)
  expect([...new Set(forms)]).toEqual([`${width} ${height} ${pixels}`])
  expect(runs.flat().map(({ text }) => text)).toContain('Hello')
})

test('converts bits to black and white in their order', async () => {
  const [bits] = (await readAll([readable['1 bit'] as PdfImage])).pictures
  expect([...(bits?.pixels.subarray(0, 8) ?? [])]).toEqual([255, 255, 255, 255, 0, 0, 0, 0])
})

describe.each(Object.entries(broken))('%s', (_, one) => {
  test('is reported as unread, and the others are returned', async () => {
    const { pictures, unread } = await readAll([readable.gray as PdfImage, one])
    expect(pictures).toHaveLength(1)
    expect(unread?.why).toMatch(/\w/)
    expect(unread?.why).not.toMatch(/\n/)
  })

  test('is listed in the note of the extracted files', async () => {
    const env = { XDG_CACHE_HOME: scratch() }
    const found = await extractPictures(makeImagePdf([one, readable.gray as PdfImage]), {
      ...{ max: 20, ms: 30_000, signal: limits.signal, env },
    })
    expect(found).toMatchObject({
      truncated: false,
      note: expect.stringMatching(/pictures? could not be read: /),
    })
    expect(found.paths).toHaveLength(1)
    expect(
      readFileSync(found.paths[0] as string)
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
  })
})

test('reports a file that is not read, instead of a file without images', async () => {
  const bytes = makeImagePdf(Object.values(readable))
  const env = { XDG_CACHE_HOME: scratch() }
  const stopped = await extractPictures(bytes, { max: 20, ms: 30_000, signal: AbortSignal.abort(), env })
  expect(stopped).toMatchObject({ paths: [], note: 'some pictures could not be read: it was cancelled' })
})
