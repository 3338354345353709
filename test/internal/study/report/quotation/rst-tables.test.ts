// Tables of reStructuredText as rows: both kinds of table give the same rows for random cells.
import { expect, test } from 'vitest'
import { layOutQuote } from '../../../../../internal/study/report/quotation/quote-blocks.ts'
import { readRstTable } from '../../../../../internal/study/report/quotation/rst-tables.ts'
import { choice, rng } from '../../../../support/rng.ts'

const seed = Number(process.env['ANODE_SEED'] ?? Date.now() % 1_000_000)

const simple = `=======  ==========
Setting  Use
=======  ==========
\`\`A\`\`    one
         and two
\`\`B\`\`
=======  ==========`

const grid = `+---------+---------+
| Setting | Use     |
+=========+=========+
| \`\`A\`\`   | one     |
|         | and two |
+---------+---------+
| \`\`B\`\`   |         |
+---------+---------+`

test.each([
  ['simple', simple],
  ['grid', grid],
])('names the cells of a %s table by their columns', (_, table) => {
  expect(readRstTable(table.split('\n'))).toEqual(['Setting: ``A``; Use: one and two', 'Setting: ``B``'])
  const blocks = layOutQuote({ path: 'a.rst', quote: `Words.\n\n${table}\n\nMore.`, heading: '' })
  expect(blocks.map(({ text }) => text)).toEqual([
    'Words.\nSetting: ``A``; Use: one and two\nSetting: ``B``\nMore.',
  ])
})

test('other lines are not a table', () => {
  for (const lines of [['Title', '====='], ['=====', 'Title', '====='], ['a = b'], ['+ item'], []])
    expect(readRstTable(lines)).toBeUndefined()
})

test(`both kinds have the same rows (seed ${seed})`, () => {
  const random = rng(seed)
  const word = () => choice(random, ['lock', '30 s', '``--debug``', 'a very long cell of a table', 'é 世界'])
  for (let round = 0; round < 100; round++) {
    const columns = 2 + Math.floor(random() * 4)
    const rows = Array.from({ length: 2 + Math.floor(random() * 5) }, (_, i) =>
      Array.from({ length: columns }, (_, j) => (j > 0 && i > 0 && random() < 0.2 ? '' : word())),
    )
    const widths = Array.from({ length: columns }, (_, j) =>
      Math.max(...rows.map((row) => row[j]?.length ?? 0)),
    )
    const pad = (row: string[]) => row.map((cell, j) => cell.padEnd(widths[j] ?? 0))
    const rule = widths.map((width) => '='.repeat(width)).join('  ')
    const frame = (mark: string) => `+${widths.map((width) => mark.repeat(width + 2)).join('+')}+`
    const [head = [], ...body] = rows
    const line = (row: string[]) => `| ${pad(row).join(' | ')} |`
    const expected = body.map((row) =>
      row.flatMap((cell, j) => (cell === '' ? [] : [`${head[j]}: ${cell}`])).join('; '),
    )
    const asSimple = [rule, pad(head).join('  '), rule, ...body.map((row) => pad(row).join('  ')), rule]
    const asGrid = [frame('-'), line(head), frame('='), ...body.flatMap((row) => [line(row), frame('-')])]
    expect(readRstTable(asSimple), asSimple.join('\n')).toEqual(expected)
    expect(readRstTable(asGrid), asGrid.join('\n')).toEqual(expected)
  }
})
