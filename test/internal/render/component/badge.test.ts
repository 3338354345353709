// Badge: brackets, the mark of the variant, narrow lines.
import { expect, test } from 'vitest'
import { draw } from '../draw.ts'

const cases: [object, object, string][] = [
  [{ label: 'NEW' }, {}, '[NEW]'],
  [{ label: 'NEW', variant: 'default' }, {}, '[NEW]'],
  [{ label: 'OK', variant: 'success' }, {}, '[✔ OK]'],
  [{ label: 'OK', variant: 'success' }, { unicode: false }, '[ok OK]'],
  [{ label: 'OK', variant: 'error' }, { plain: true }, 'OK (error)'],
  [{ label: 'OK' }, { plain: true }, 'OK'],
  [{ label: 'a label that is long' }, { width: 22 }, '[a label that is long]'],
  [{ label: 'a label that is long' }, { width: 20 }, 'a label that is long'],
  [{ label: 'a label that is longer' }, { width: 20 }, 'a label that is lon…'],
  [{ label: 'a failed nightly', variant: 'error' }, { width: 20 }, '[✖ a failed nightly]'],
  [{ label: 'a failed nightly.', variant: 'error' }, { width: 20 }, '✖ a failed nightly.'],
  [{ label: 'two\nlines' }, {}, '[two lines]'],
  [{ label: 'W', variant: 'warning' }, { color: 1 }, '\x1b[33m\x1b[1m[⚠ W]\x1b[22m\x1b[39m'],
]

test.each(cases)('draws a badge with %j %j', (props, options, line) => {
  expect(draw('Badge', props, options)).toEqual([line])
})
