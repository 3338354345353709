// Lists to pick from: what typing leaves, and which key picks.
import { expect, test } from 'vitest'
import {
  openPicker,
  type PickerState,
  pressPickerKey,
  shownItems,
} from '../../../../internal/tui/dialog/picker.ts'

const items = [
  { value: 'a', label: 'openai/gpt', about: 'large' },
  { value: 'b', label: 'local/gpt-small', about: 'on this machine', unusable: 'it does not answer' },
  { value: 'c', label: 'builtin/extract', about: 'quotes, no gpt' },
]
const press = (names: readonly string[], from: PickerState<string> = openPicker('Model', items)) => {
  let outcome: ReturnType<typeof pressPickerKey<string>> = { state: from }
  for (const name of names)
    outcome = pressPickerKey(outcome.state, { key: name, text: name.length === 1 ? name : '' })
  return outcome
}

test('typing leaves what holds every word, names before descriptions', () => {
  const values = (query: string) => shownItems({ items, query }).map(({ value }) => value)
  expect(values('')).toEqual(['a', 'b', 'c'])
  expect(values('GPT')).toEqual(['a', 'b', 'c'])
  expect(values('local')).toEqual(['b'])
  expect(values('gpt machine')).toEqual(['b'])
  expect(values('zzz')).toEqual([])
})

test('Enter picks what is meant, Esc closes', () => {
  expect(press(['enter']).effect).toEqual({ kind: 'picked', value: 'a' })
  expect(press(['down', 'down', 'enter']).effect).toEqual({ kind: 'picked', value: 'c' })
  expect(press(['b', 'u', 'enter']).effect).toEqual({ kind: 'picked', value: 'c' })
  expect(press(['escape']).effect).toEqual({ kind: 'closed' })
})

test('what cannot be used is not picked, and says why', () => {
  const { state, effect } = press(['down', 'enter'])
  expect(effect).toBeUndefined()
  expect(state.note).toBe('it does not answer')
})

test('it begins at the current one and never leaves the list', () => {
  expect(openPicker('Model', items, { current: 'c' }).at).toBe(2)
  expect(press(['down', 'down', 'down', 'pagedown']).state.at).toBe(2)
  expect(press(['up', 'home']).state.at).toBe(0)
  expect(press(['z', 'z', 'enter']).effect).toBeUndefined()
})
