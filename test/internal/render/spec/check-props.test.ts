// Properties of one element, and the message for every kind of problem.
import { expect, test } from 'vitest'
import { checkProps } from '../../../../internal/render/spec/check-props.ts'
import { collectIssues } from '../../../../internal/render/spec/issues.ts'
import type { ComponentType } from '../../../../internal/render/spec/props.ts'

function check(type: ComponentType, props: Record<string, unknown>) {
  const errors = collectIssues()
  const warnings = collectIssues()
  const parsed = checkProps(type, props, { path: 'p', element: 'e', errors, warnings })
  const said = [...errors.list(), ...warnings.list()]
  return { parsed, said: said.map(({ code, path, message }) => `${code} ${path}: ${message}`) }
}

const wholeSize = 'must be a number from 0 to 500 or a percentage such as "50%"'
const cases: [ComponentType, Record<string, unknown>, string[]][] = [
  ['Text', {}, ['missing_prop p.text: is required']],
  ['Text', { text: null }, ['bad_prop p.text: must be a string, got null']],
  ['Text', { text: 3 }, ['bad_prop p.text: must be a string, got 3']],
  ['Text', { text: 'x', bold: 'yes' }, ['bad_prop p.bold: must be a boolean, got "yes"']],
  [
    'Heading',
    { text: 'x', level: 'H2' },
    ['bad_prop p.level: must be one of h1, h2, h3, h4, got "H2"; did you mean h2?'],
  ],
  [
    'Text',
    { text: 'x', colour: 'red' },
    ['unknown_prop p.colour: Text has no such property, did you mean color?'],
  ],
  ['Text', { text: { $state: '/a' } }, ['unsupported_dynamic p.text: bindings to state are not supported']],
  ['Box', { width: 501 }, [`bad_prop p.width: ${wholeSize}, got 501`]],
  ['Box', { width: '12px' }, [`bad_prop p.width: ${wholeSize}, got "12px"`]],
  ['Box', { width: '12.5%', height: 500, padding: null }, []],
  ['Box', { padding: -1 }, ['bad_prop p.padding: must be at least 0, got -1']],
  [
    'Box',
    { flexGrow: Number.POSITIVE_INFINITY },
    ['bad_prop p.flexGrow: must be a finite number, got Infinity'],
  ],
  ['Divider', { width: 501 }, ['bad_prop p.width: must be at most 500, got 501']],
  [
    'Table',
    { columns: [], rows: [] },
    ['bad_prop p.columns: must be an array that is not empty, got an empty array'],
  ],
  ['Table', { rows: [] }, ['missing_prop p.columns: is required']],
  [
    'Table',
    { columns: [{ header: 'a' }], rows: {} },
    ['missing_prop p.columns[0].key: is required', 'bad_prop p.rows: must be an array, got an object'],
  ],
  [
    'Table',
    { columns: [{ header: 'a', key: 'a', width: 201 }], rows: [{ a: [] }] },
    [
      'bad_prop p.columns[0].width: must be at most 200, got 201',
      'bad_prop p.rows[0].a: must be a string, got an empty array',
    ],
  ],
  [
    'Sparkline',
    { data: [1, 'NaN', Number.POSITIVE_INFINITY] },
    [
      'bad_prop p.data[1]: must be a finite number, got "NaN"',
      'bad_prop p.data[2]: must be a finite number, got Infinity',
    ],
  ],
  ['BarChart', { data: [{ label: 'a' }] }, ['missing_prop p.data[0].value: is required']],
  [
    'KeyValue',
    { label: 'a', value: {} },
    ['bad_prop p.value: must be a string, a number or an array of strings, got an object'],
  ],
  ['ProgressBar', { progress: 2 }, ['clamped p.progress: 2 was taken as 1']],
  ['ProgressBar', { progress: '1' }, ['bad_prop p.progress: must be a finite number, got "1"']],
  ['List', { items: ['a', 1] }, ['coerced p.items[1]: 1 became a string']],
  ['Metric', { label: 'a' }, ['missing_prop p.value: is required']],
  [
    'Timeline',
    { items: [{ title: 'a', status: 'done' }] },
    ['bad_prop p.items[0].status: must be one of completed, current, upcoming, got "done"'],
  ],
]

test.each(cases)('%s %j', (type, props, expected) => {
  expect(check(type, props).said).toEqual(expected)
})

test('reports unknown colors at any position', () => {
  expect(check('Text', { text: 'x', color: 'rot' }).said[0]).toMatch(
    /^bad_color p\.color: "rot" is not a color; known: black, red, /,
  )
  expect(check('BarChart', { data: [{ label: 'a', value: 1, color: 'x' }] }).said[0]).toMatch(
    /^bad_color p\.data\[0\]\.color: /,
  )
  expect(check('Box', { borderColor: 'x', backgroundColor: 'y', gap: 'bad' }).said).toHaveLength(3)
})

test('cleans texts, and keeps line breaks only in multi-line texts', () => {
  expect(check('Text', { text: 'a\r\nb\x1b[2J' }).parsed).toEqual({ text: 'a\nb' })
  expect(check('Heading', { text: 'a\nb' }).parsed).toEqual({ text: 'a b' })
})

test('does not change the properties that it gets', () => {
  const props = { label: 'L', value: 3, detail: '\x07' }
  check('Metric', props)
  expect(props).toEqual({ label: 'L', value: 3, detail: '\x07' })
})

test('stops checking a list of bad items early', () => {
  const errors = collectIssues()
  const place = { path: 'p', element: 'e', errors, warnings: collectIssues() }
  checkProps('BarChart', { data: new Array(500_000).fill(0) }, place)
  expect(errors.count()).toBe(1000)
})
