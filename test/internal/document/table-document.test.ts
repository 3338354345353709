// Rows of tables as programs write them.
import { expect, test } from 'vitest'
import { parseDocument } from '../../../internal/document/document.ts'

async function read(text: string | Buffer) {
  const found = await parseDocument(Buffer.from(text), 'table', { signal: new AbortController().signal })
  if ('skipped' in found) throw new Error(found.skipped)
  return { rows: found.blocks.map((block) => `${block.place}: ${block.text}`), cut: found.cut }
}

test.each([
  ['commas', 'a,b\n1,"x, y"\n', ['row 1: a | b', 'row 2: a: 1; b: x, y']],
  ['semicolons', 'a;b\r\n1,5;2\r\n', ['row 1: a | b', 'row 2: a: 1,5; b: 2']],
  ['tabulators', 'a\tb\n1\t2', ['row 1: a | b', 'row 2: a: 1; b: 2']],
  ['no names', '1,2\n3,4\n', ['row 1: 1 | 2', 'row 2: 3 | 4']],
  ['empty rows count', 'a,b\n\n1,2\n', ['row 1: a | b', 'row 3: a: 1; b: 2']],
  ['rows of other lengths', 'a,b\n1\n1,2,3\n', ['row 1: a | b', 'row 2: a: 1', 'row 3: a: 1; b: 2; 3']],
  ['marks within words', 'a,b\n5",6" x\n', ['row 1: a | b', 'row 2: a: 5"; b: 6" x']],
])('%s', async (_, text, rows) => expect(await read(text)).toEqual({ rows, cut: undefined }))

test('keeps the rows before a quoted field that is never closed', async () => {
  const { rows, cut } = await read(`a,b\n1,2\n"3,${'x\n'.repeat(10)}`)
  expect(rows).toEqual(['row 1: a | b', 'row 2: a: 1; b: 2'])
  expect(cut).toMatch(/^the first 2 rows: /)
})

test('reads a long table up to the limit, and reports it', async () => {
  const { rows, cut } = await read(`a,b\n${'1,2\n'.repeat(60_000)}`)
  expect([rows.length, cut]).toEqual([50_000, 'the first 50000 paragraphs or rows'])
})
