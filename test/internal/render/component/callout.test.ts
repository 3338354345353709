// Callout: kind as a word, bar, wrapped contents.
import { expect, test } from 'vitest'
import { draw } from '../draw.ts'

const cases: [object, object, string[]][] = [
  [{ content: 'x' }, {}, ['┃ Info', '┃ x']],
  [{ content: 'x', type: 'tip', title: 'Hint' }, {}, ['┃ Tip: Hint', '┃ x']],
  [{ content: 'x', type: 'important' }, { unicode: false }, ['| Important', '| x']],
  [
    { content: 'words that take two lines', type: 'warning' },
    { width: 20 },
    ['┃ Warning', '┃ words that take', '┃ two lines'],
  ],
  [{ content: 'a\nb' }, {}, ['┃ Info', '┃ a', '┃ b']],
  [{ content: 'x', type: 'tip', title: 'Hint' }, { plain: true }, ['Tip: Hint: x']],
]

test.each(cases)('%j %j', (props, options, lines) => {
  expect(draw('Callout', props, options)).toEqual(lines)
})
