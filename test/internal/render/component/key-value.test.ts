// KeyValue: kinds of values, separator, no value.
import { expect, test } from 'vitest'
import { codes, draw } from '../draw.ts'

const cases: [object, string[]][] = [
  [{ label: 'host', value: 'a' }, ['host: a']],
  [{ label: 'port', value: 8080 }, ['port: 8080']],
  [{ label: 'tags', value: ['a', 'b'] }, ['tags: a, b']],
  [{ label: 'k', value: 'v', separator: ' =' }, ['k = v']],
  [{ label: 'k', value: '' }, ['k: —']],
  [{ label: 'k', value: [] }, ['k: —']],
  [{ label: 'k', value: null }, ['k: —']],
  [{ label: 'k', value: 'two\nlines' }, ['k: two', '   lines']],
]

test.each(cases)('draws %j', (props, lines) => {
  expect(draw('KeyValue', props)).toEqual(lines)
})

test('draws colors, ASCII and plain output', () => {
  expect(draw('KeyValue', { label: 'k', value: 'v', labelColor: 'cyan' }, { color: 1 })).toEqual([
    '\x1b[36mk: \x1b[39mv',
  ])
  expect(draw('KeyValue', { label: 'k', value: '' }, { unicode: false })).toEqual(['k: -'])
  expect(draw('KeyValue', { label: 'k', value: ['a', 'b'] }, { plain: true })).toEqual(['k: a, b'])
})

test('rejects a missing value and values of other types', () => {
  expect(codes({ x: { type: 'KeyValue', props: { label: 'k' } } })).toEqual(['missing_prop'])
  expect(codes({ x: { type: 'KeyValue', props: { label: 'k', value: true } } })).toEqual(['bad_prop'])
  expect(codes({ x: { type: 'KeyValue', props: { label: 'k', value: [1] } } })).toEqual(['bad_prop'])
})
