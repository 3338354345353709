// Text and pages of PDF files within limits.
import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readPdf } from '../../../internal/media/pdf.ts'
import { makePdf } from '../../support/pdf.ts'
import { sampleRows } from '../../support/sample.ts'

const limits = { chars: 10_000, pages: 50, ms: 10_000, signal: new AbortController().signal }

test('returns pages in order, with the title', async () => {
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
])('stops at a limit of %s', async (_, bounds, read) => {
  const pdf = await readPdf(makePdf(['one', 'two', 'three', 'four']), bounds)
  expect(pdf).toMatchObject({ pages: 4, read, title: undefined })
  if (typeof pdf !== 'string') expect(pdf.text.length).toBeLessThanOrEqual(bounds.chars)
})

test('reads files in sequence and in parallel independently of each other', async () => {
  const read = async (name: string) => {
    const pdf = await readPdf(makePdf([name, `${name} too`]), limits)
    return typeof pdf === 'string' ? pdf : pdf.text
  }
  const pages = (name: string) => `--- page 1 ---\n${name}\n\n--- page 2 ---\n${name} too\n`
  expect(await read('one')).toBe(pages('one'))
  // a failing file ends its thread and nothing else
  expect(await readPdf(Buffer.from('%PDF-1.4\nnothing'), limits)).toMatch(/^it cannot be read: /)
  expect(await Promise.all(['two', 'three', 'four'].map(read))).toEqual(['two', 'three', 'four'].map(pages))
  expect(await read('five')).toBe(pages('five'))
})

test('rejects a file that is not a PDF', async () => {
  expect(await readPdf(Buffer.from('%PDF-1.4\nnothing'), limits)).toMatch(/^it cannot be read: /)
})

test.each([
  ['time', { ...limits, ms: -1 }, 'it takes longer than'],
  ['memory', { ...limits, memory: -1e12 }, 'it needs more than'],
  ['a signal', { ...limits, signal: AbortSignal.abort() }, 'it was cancelled'],
])('reports no text within a limit of %s', async (_, bounds, why) => {
  // so many pages are not read before the limits are looked at for the first time
  expect(await readPdf(makePdf(Array(1_500).fill('one')), bounds)).toContain(why)
})

/** Returns the processor time of the main thread, which other processes on the machine do not affect. */
function mainThreadMs(): number {
  const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

/** Returns a file of one page whose content is `unpacked` bytes, packed `times` times. */
function bomb(unpacked: number, times: number): Buffer {
  let stream: Buffer = Buffer.alloc(unpacked, ' ')
  for (let i = 0; i < times; i++) stream = deflateSync(stream, { level: 9 })
  const filters = '/FlateDecode '.repeat(times)
  const head = [
    '%PDF-1.4',
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>endobj',
    `4 0 obj<</Length ${stream.length}/Filter[${filters}]>>stream\n`,
  ].join('\n')
  return Buffer.concat([
    Buffer.from(head),
    stream,
    Buffer.from('\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
  ])
}

test.each(
  sampleRows(
    [
      [64, 1],
      [400, 1],
      [400, 2],
      [400, 3],
      [400, 6],
    ],
    3,
  ),
)(
  '%i MiB of spaces, packed %i times: limited in time and memory, without blocking the main thread',
  async (size, times) => {
    const bytes = bomb(size * 1_048_576, times)
    let last = mainThreadMs()
    let longest = 0
    let most = 0
    const before = process.memoryUsage.rss()
    const ticking = setInterval(() => {
      longest = Math.max(longest, mainThreadMs() - last)
      last = mainThreadMs()
      most = Math.max(most, process.memoryUsage.rss() - before)
    }, 10)
    const began = performance.now()
    await readPdf(bytes, { ...limits, ms: 2_000 })
    clearInterval(ticking)
    expect(performance.now() - began).toBeLessThan(9_000)
    // Unpacking on this thread would take the whole time limit of 2 s.
    expect(longest).toBeLessThan(1_900)
    expect(most).toBeLessThan(800 * 1_048_576)
  },
  60_000,
)

test('does not open a stream that is packed repeatedly', async () => {
  for (const times of [7, 20, 200])
    expect(await readPdf(bomb(1_000, times), limits)).toMatch(/packs a stream/)
})
