// Divider: length, character, title.
import { expect, test } from 'vitest'
import { draw } from '../draw.ts'

const cases: [object, number, string][] = [
  [{}, 80, '─'.repeat(40)],
  [{}, 20, '─'.repeat(20)],
  [{ width: 500 }, 30, '─'.repeat(30)],
  [{ width: 3 }, 30, '───'],
  [{ character: '=*', width: 4 }, 30, '===='],
  [{ character: '漢', width: 5 }, 30, '漢漢'],
  [{ character: '👨\u200d👩\u200d👧 ', width: 4 }, 30, '👨\u200d👩\u200d👧👨\u200d👩\u200d👧'],
  [{ character: '', width: 2 }, 30, '──'],
  [{ character: ' ', width: 2 }, 30, '──'],
  [{ character: '\u0301', width: 2 }, 30, '──'],
  [{ title: 'end', width: 11 }, 30, '─── end ───'],
  [{ title: 'end', width: 12 }, 30, '─── end ────'],
  [{ title: 'a long title', width: 10 }, 30, '─ a lon… ─'],
  [{ title: 'abc', width: 4 }, 30, '…'],
]

test.each(cases)('draws a divider with %j at width %i', (props, width, line) => {
  expect(draw('Divider', props, { width })).toEqual([line])
})

test('draws ASCII and plain output', () => {
  expect(draw('Divider', { title: 'x', width: 7 }, { unicode: false })).toEqual(['-- x --'])
  expect(draw('Divider', { title: 'x' }, { plain: true })).toEqual(['x'])
  expect(draw('Divider', {}, { plain: true })).toEqual([''])
})
