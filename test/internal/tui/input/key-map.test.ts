// Keys and what they do: names in one form, changes by a person, and everything that is wrong with them.
import { describe, expect, test } from 'vitest'
import { buildKeyMap, type KeyOverrides, sessionActions } from '../../../../internal/tui/input/key-map.ts'
import { normalizeKey, showKey } from '../../../../internal/tui/input/key-press.ts'

test.each([
  ['Ctrl+P', 'ctrl-p'],
  ['C-p', 'ctrl-p'],
  ['shift+ctrl+a', 'ctrl-shift-a'],
  ['Esc', 'escape'],
  ['Return', 'enter'],
  ['PgUp', 'pageup'],
  ['meta-enter', 'alt-enter'],
  ['D', 'D'],
  ['?', '?'],
  ['-', '-'],
  ['ctrl--', 'ctrl--'],
  ['ctrl-+', 'ctrl-+'],
  ['ctrl-_', 'ctrl-_'],
  ['hyper-x', undefined],
  ['ctrl-', undefined],
  ['bogus', undefined],
  ['', undefined],
])('%j is %j', (written, key) => {
  expect(normalizeKey(written)).toBe(key)
})

test.each([
  ['ctrl-p', 'Ctrl-P'],
  ['shift-enter', 'Shift-Enter'],
  ['pageup', 'PgUp'],
  ['escape', 'Esc'],
  ['f1', 'F1'],
  ['D', 'D'],
])('%s is shown as %s', (key, text) => {
  expect(showKey(key)).toBe(text)
})

const mapOf = (overrides: KeyOverrides) => {
  const built = buildKeyMap(overrides)
  if (built.kind === 'problems') throw new Error(built.problems.join('\n'))
  return built.map
}
const problemsOf = (overrides: KeyOverrides) => {
  const built = buildKeyMap(overrides)
  return built.kind === 'problems' ? built.problems : []
}

describe('the map', () => {
  test('has no conflicts of its own, and finds every key', () => {
    const map = mapOf({})
    for (const [name, { keys }] of Object.entries(sessionActions))
      for (const key of keys) expect(map.actionOf(key)).toBe(name)
    expect(map.actionOf('x')).toBeUndefined()
  })

  test('takes the keys that a person gives, and the old ones are free', () => {
    const map = mapOf({ transcript: ['F2', 'alt+o'], palette: 'ctrl-o' })
    expect(map.keysOf('transcript')).toEqual(['f2', 'alt-o'])
    expect(map.actionOf('ctrl-o')).toBe('palette')
    expect(map.actionOf('ctrl-p')).toBeUndefined()
  })

  test('lets an action be without a key, but for those that nobody can do without', () => {
    expect(mapOf({ suspend: [] }).actionOf('ctrl-z')).toBeUndefined()
    expect(problemsOf({ send: [] })).toEqual(['ui.keys: send needs a key'])
  })
})

test.each<[KeyOverrides, RegExp]>([
  [{ transcripts: 'f2' }, /there is no action transcripts; did you mean transcript/],
  [{ help: 'hyper-x' }, /hyper-x of help is no key/],
  [{ help: 'h' }, /h of help is needed to type/],
  [{ help: 'space' }, /needed to type/],
  [{ help: 'f2', palette: 'F2' }, /F2 stands for both palette and help/],
  [{ constructor: 'f2' } as never, /there is no action constructor/],
])('%j is a problem', (overrides, message) => {
  expect(problemsOf(overrides)).toEqual([expect.stringMatching(message)])
})
