// The palette: actions with their current keys, commands and choices.
import { expect, test } from 'vitest'
import { choiceItems, formatAge, paletteItems } from '../../../../internal/tui/dialog/palette.ts'
import { buildKeyMap } from '../../../../internal/tui/input/key-map.ts'

const built = buildKeyMap({ transcript: 'f2', suspend: [] })
if (built.kind !== 'map') throw new Error(built.problems.join())

test('lists every action with its keys, or by name without keys, and every command', () => {
  const labels = paletteItems(built.map).map(({ label }) => label)
  expect(labels).toContain('F2')
  expect(labels).toContain('suspend')
  expect(labels).toContain('Shift-Enter, Alt-Enter, Ctrl-J')
  expect(labels).toContain('/model [NAME]')
})

test('lists skills and prompts of servers in the form in which they are typed', () => {
  const names = [
    { name: 'simplify', about: 'plainer' },
    { name: 'docs:greet', about: 'says hello' },
  ]
  const labels = paletteItems(built.map, names).map(({ label }) => label)
  expect(labels).toContain('/simplify [INPUT]')
  expect(labels).toContain('/docs:greet [ARGS]')
})

test('choices show the reason why they are not available', () => {
  expect(choiceItems([{ name: 'm', about: 'a', unusable: 'no key' }])[0]).toEqual({
    ...{ value: 'm', label: 'm', about: 'a', unusable: 'no key' },
  })
})

test.each([
  [5_000, 'just now'],
  [60_000, '1 minute ago'],
  [3 * 86_400_000, '3 days ago'],
])('%i ms are %s', (ms, text) => {
  expect(formatAge(ms)).toBe(text)
})
