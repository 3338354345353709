// Spacer: the free space of its line.
import { expect, test } from 'vitest'
import { codes, draw, lines } from '../draw.ts'

const row = (props: object) => ({
  b: { type: 'Box', props, children: ['l', 's', 'r'] },
  l: { type: 'Text', props: { text: 'left' } },
  s: { type: 'Spacer' },
  r: { type: 'Text', props: { text: 'right' } },
})

test('pushes its neighbours apart', () => {
  expect(lines(row({}), { width: 20 })).toEqual(['left           right'])
  expect(lines(row({ flexDirection: 'column', height: 4 }))).toEqual(['left', '', '', 'right'])
})

test('a spacer alone draws nothing, and a row without room reports no problem', () => {
  expect(draw('Spacer', {})).toEqual([])
  expect(codes(row({ width: 9 }))).toEqual([])
})
