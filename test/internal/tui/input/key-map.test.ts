// Keys and their actions: normalized names, changes by a user, and all errors in them.
import { describe, expect, test } from 'vitest'
import { buildKeyMap, type KeyOverrides, sessionActions } from '../../../../internal/tui/input/key-map.ts'
import { normalizeKey, showKey } from '../../../../internal/tui/input/key-press.ts'
import { readKeyPress } from '../../../../internal/tui/input/read-key-press.ts'

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
  ['ctrl--', 'ctrl-_'],
  ['ctrl-/', 'ctrl-_'],
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
  test('has no conflicts by default, and finds every key', () => {
    const map = mapOf({})
    for (const [name, { keys }] of Object.entries(sessionActions))
      for (const key of keys) expect(map.actionOf(key)).toBe(name)
    expect(map.actionOf('x')).toBeUndefined()
  })

  test('accepts keys of a user, and frees the old ones', () => {
    const map = mapOf({ transcript: ['F2', 'alt+o'], palette: 'ctrl-o' })
    expect(map.keysOf('transcript')).toEqual(['f2', 'alt-o'])
    expect(map.actionOf('ctrl-o')).toBe('palette')
    expect(map.actionOf('ctrl-p')).toBeUndefined()
  })

  test('finds the undo key of a terminal under its usual names', () => {
    const sent = readKeyPress({ kind: 'key', name: 'ctrl+-', sequence: '\x1f', burst: false }).key
    for (const name of ['ctrl-_', 'ctrl-/', 'C--']) expect(mapOf({ help: name }).actionOf(sent)).toBe('help')
  })

  test('allows an action without a key, except for essential actions', () => {
    expect(mapOf({ suspend: [] }).actionOf('ctrl-z')).toBeUndefined()
    expect(problemsOf({ send: [] })).toEqual(['ui.keys: send needs a key'])
  })
})

test.each<[KeyOverrides, RegExp]>([
  [{ transcripts: 'f2' }, /unknown action "transcripts"; did you mean transcript/],
  [{ help: 'hyper-x' }, /hyper-x of help is not a key/],
  [{ help: 'h' }, /h of help is needed for typing/],
  [{ help: 'space' }, /needed for typing/],
  [{ help: 'f2', palette: 'F2' }, /F2 is used for both palette and help/],
  [{ send: 'ctrl-m' }, /ctrl-m of send is Enter to a terminal; write enter/],
  [{ editor: ['f4', 'C-i'] }, /C-i of editor is Tab to a terminal; write tab/],
  [{ constructor: 'f2' } as never, /unknown action "constructor"/],
])('%j is a problem', (overrides, message) => {
  expect(problemsOf(overrides)).toEqual([expect.stringMatching(message)])
})
