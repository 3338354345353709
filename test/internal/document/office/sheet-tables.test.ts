// Headings of tables on a sheet: next to each other, merged, in two rows, with empty columns, and forms.
import { expect, test } from 'vitest'
import { createBlockList } from '../../../../internal/document/block-list.ts'
import { createSheetRows } from '../../../../internal/document/office/sheet-rows.ts'
import { createReadingBudget, documentLimits } from '../../../../internal/document/reading-budget.ts'

type Cells = (string | number)[]
type Merge = [rows: [number, number], columns: [number, number]]

function read(rows: readonly Cells[], merges: readonly Merge[] = [], first = 1): string[] {
  const list = createBlockList(createReadingBudget(documentLimits, new AbortController().signal))
  const sheet = createSheetRows(list, 1, 'S')
  for (const [i, cells] of rows.entries()) sheet.add(first + i, cells.map(String))
  for (const [at, columns] of merges) sheet.merge({ rows: at, columns })
  sheet.end()
  return list.blocks.slice(1).map(({ text }) => text)
}

const ships: Cells[] = [
  ['ship', 'crew'],
  ['Gull', 412],
  ['Tern', 31],
]
const towers: Cells[] = [
  ['tower', 'height'],
  ['North', 55],
  ['South', 66],
]

/** Two tables with `gap` empty columns between them. The second table begins `down` rows below the first. */
const sideBySide = [1, 2, 3].flatMap((gap) => [0, 1, 2].map((down) => ({ gap, down })))
test.each(sideBySide)(
  'separates tables with $gap empty columns between them, $down rows down',
  ({ gap, down }) => {
    const height = Math.max(ships.length, towers.length + down)
    const rows = Array.from({ length: height }, (_, i) => [
      ...(ships[i] ?? ['', '']),
      ...Array.from({ length: gap }, () => ''),
      ...(towers[i - down] ?? ['', '']),
    ])
    const text = read(rows).join('\n')
    for (const row of [
      'ship: Gull; crew: 412',
      'ship: Tern; crew: 31',
      'tower: North; height: 55',
      'tower: South; height: 66',
    ])
      expect(text).toContain(row)
    expect(text).not.toMatch(/;[^|\n]*(?:tower|ship):/)
  },
)

test.each([0, 1, 2, 3])('a table has an empty column %i and stays one table', (at) => {
  const rows: Cells[] = [
    ['ship', 'crew', 'tons'],
    ['Gull', 412, 9],
  ]
  for (const row of rows) row.splice(at, 0, '')
  expect(read(rows)).toEqual(['ship | crew | tons', 'ship: Gull; crew: 412; tons: 9'])
})

/** A heading over `span` names, after a separate column, for `groups` headings. */
const merged = [2, 3].flatMap((span) => [1, 2, 3].map((groups) => ({ span, groups })))
test.each(merged)('applies $groups headings merged over $span names', ({ span, groups }) => {
  const names = ['crew', 'tons', 'beam'].slice(0, span)
  const heads = Array.from({ length: groups }, (_, i) => 2023 + i)
  const upper = ['ship', ...heads.flatMap((head) => [head, ...names.slice(1).map(() => '')])]
  const lower = ['', ...heads.flatMap(() => names)]
  const values = heads.flatMap((_, g) => names.map((_, i) => 10 * (g + 1) + i))
  const merges: Merge[] = [
    [
      [1, 2],
      [0, 0],
    ],
    ...heads.map(
      (_, g): Merge => [
        [1, 1],
        [1 + g * span, span + g * span],
      ],
    ),
  ]
  const pairs = heads.flatMap((head, g) => names.map((name, i) => `${head} ${name}: ${10 * (g + 1) + i}`))
  expect(read([upper, lower, ['Gull', ...values]], merges).at(-1)).toBe(['ship: Gull', ...pairs].join('; '))
})

test('reads years below a merged heading as names', () => {
  const rows = [
    ['ship', 'crew', ''],
    ['', 2023, 2024],
    ['Gull', 412, 31],
  ]
  expect(
    read(rows, [
      [
        [1, 1],
        [1, 2],
      ],
    ]).at(-1),
  ).toBe('ship: Gull; crew 2023: 412; crew 2024: 31')
})

test('does not read figures below a merged heading as names', () => {
  const rows = [
    ['ship', 'crew', ''],
    ['Gull', 412, 31],
    ['Tern', 7, 8],
  ]
  expect(
    read(rows, [
      [
        [1, 1],
        [1, 2],
      ],
    ]).slice(1),
  ).toEqual(['ship: Gull; crew: 412; 31', 'ship: Tern; crew: 7; 8'])
})

test.each([1, 2, 3])('a label merged over %i more rows is in each of them', (more) => {
  const rows: Cells[] = [
    ['port', 'ship', 'crew'],
    ['Oslo', 'Gull', 412],
  ]
  for (let i = 0; i < more; i++) rows.push(['', `Tern ${i}`, i])
  const texts = read(rows, [
    [
      [2, 2 + more],
      [0, 0],
    ],
  ])
  expect(texts.slice(1).every((text) => text.startsWith('port: Oslo; ship: '))).toBe(true)
})

test.each([1, 2, 3])('%i titles directly above the headings are not headings', (titles) => {
  const rows = [...Array.from({ length: titles }, (_, i) => [`Title ${i}`]), ...ships]
  expect(read(rows).slice(titles)).toEqual(['ship | crew', 'ship: Gull; crew: 412', 'ship: Tern; crew: 31'])
})

test('a form of labels and values has no headings', () => {
  const rows = [
    ['Name', 'Gull'],
    ['Crew', 412],
    ['Port', 'Oslo'],
  ]
  expect(read(rows)).toEqual(['Name | Gull', 'Crew | 412', 'Port | Oslo'])
})

test('a long table keeps its headings to its end', () => {
  const long = Array.from({ length: 45_000 }, (_, i) => [`Gull ${i}`, i])
  const texts = read([...ships.slice(0, 1), ...long])
  expect(texts.at(-1)).toBe('ship: Gull 44999; crew: 44999')
})
