// Notebooks of the formats 3 and 4.
import { expect, test } from 'vitest'
import { parseDocument } from '../../../internal/document/document.ts'

async function blocksOf(notebook: object) {
  const bytes = Buffer.from(JSON.stringify(notebook))
  const read = await parseDocument(bytes, 'notebook', { signal: new AbortController().signal })
  if ('skipped' in read) throw new Error(read.skipped)
  return read.blocks.map(({ place, text, heading }) => [place, heading ?? '', text])
}

test('reads cells with headings, printed text, results and errors, without images', async () => {
  const outputs = [
    {
      output_type: 'execute_result',
      data: { 'image/png': 'iVBOR', 'text/plain': '42', 'text/html': '<b>42</b>' },
    },
    { output_type: 'error', ename: 'ValueError', evalue: 'too cold', traceback: ['\u001b[31mlong'] },
  ]
  const cells = [
    { source: '# Top\ntext\n```\n# no heading\n```', cell_type: 'markdown' },
    { cell_type: 'code', source: 'f()', outputs },
    { cell_type: 'raw', source: [] },
  ]
  expect(await blocksOf({ cells, nbformat: 4 })).toEqual([
    ['cell 1', 'Top', 'Top'],
    ['cell 1', 'Top', 'text\n```\n# no heading\n```'],
    ['cell 2', 'Top', 'f()'],
    ['cell 2', 'Top', '42\nValueError\ntoo cold'],
  ])
})

test('an old notebook keeps its cells in a worksheet', async () => {
  const cells = [{ cell_type: 'code', input: ['a = 1\n', 'a'], outputs: [{ text: ['1'] }] }]
  expect(await blocksOf({ worksheets: [{ cells }], nbformat: 3 })).toEqual([
    ['cell 1', '', 'a = 1\na'],
    ['cell 1', '', '1'],
  ])
})
