// Paths as users and terminals write them.
import { expect, it } from 'vitest'
import { readTypedPath } from '../../../../internal/tui/input/typed-path.ts'

it.each([
  ['a.md', 'a.md'],
  [' two words.md ', 'two words.md'],
  ['"two words.md"', 'two words.md'],
  ["'it is'", 'it is'],
  ['two\\ words\\ [1].md', 'two words [1].md'],
  ['~/x', '/home/ann/x'],
  ['~', '/home/ann'],
  ['~ann/x', '~ann/x'],
  ['a~/x', 'a~/x'],
  ['"half', '"half'],
])('%j is %j', (typed, path) => {
  expect(readTypedPath(typed, '/home/ann')).toBe(path)
})
