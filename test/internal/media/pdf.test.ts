// Text and pages of PDF files within limits.
import { expect, test } from 'vitest'
import { readPdf } from '../../../internal/media/pdf.ts'
import { makePdf } from '../../support/pdf.ts'

const limits = { chars: 10_000, pages: 50, ms: 10_000, signal: new AbortController().signal }

test('pages in order, with the title', async () => {
  const bytes = makePdf(['First line\nsecond (line)', 'Page two'], 'A title')
  const before = Buffer.from(bytes)
  expect(await readPdf(bytes, limits)).toEqual({
    pages: 2,
    title: 'A title',
    read: 2,
    text: '--- page 1 ---\nFirst line\nsecond (line)\n\n--- page 2 ---\nPage two\n',
  })
  expect(bytes.equals(before)).toBe(true)
})

test.each([
  ['pages', { ...limits, pages: 2 }, 2],
  ['characters', { ...limits, chars: 30 }, 2],
  ['time', { ...limits, ms: -1 }, 0],
  ['a signal', { ...limits, signal: AbortSignal.abort() }, 0],
])('it stops at a limit of %s', async (_, bounds, read) => {
  const pdf = await readPdf(makePdf(['one', 'two', 'three', 'four']), bounds)
  expect(pdf).toMatchObject({ pages: 4, read, title: undefined })
  if (typeof pdf !== 'string') expect(pdf.text.length).toBeLessThanOrEqual(bounds.chars)
})

test('a file that is none', async () => {
  expect(await readPdf(Buffer.from('%PDF-1.4\nnothing'), limits)).toMatch(/^it cannot be read: /)
})
