// A list to pick from as lines.
import { expect, test } from 'vitest'
import { openPicker, pressPickerKey } from '../../../../internal/tui/dialog/picker.ts'
import { drawPicker } from '../../../../internal/tui/view/picker-list.ts'
import { lookOf } from '../../../support/session-view.ts'

const items = Array.from({ length: 50 }, (_, i) => ({ value: i, label: `model ${i}`, about: `number ${i}` }))

test('shows the items around the one that is meant, within its rows', () => {
  const lines = drawPicker(openPicker('Model', items, { current: 30 }), 12, lookOf(40))
  expect(lines).toHaveLength(12)
  expect(lines[0]).toMatch(/^┌ Model ─+ 31 of 50 ─┐$/)
  expect(lines.find((line) => line.includes('>  ') || line.includes('> model'))).toContain(
    '> model 30  number 30',
  )
})

test('what cannot be used says why, and a query without fits says so', () => {
  const state = openPicker('Model', [{ value: 1, label: 'a', about: 'x', unusable: 'no key' }])
  expect(drawPicker(state, 10, lookOf(40)).join('\n')).toContain('> a  not now: no key')
  const empty = pressPickerKey(state, { key: 'z', text: 'z' }).state
  expect(drawPicker(empty, 10, lookOf(40)).join('\n')).toContain('no matches')
})

test('a long name keeps most of a narrow row', () => {
  const label = 'deepseek/deepseek-v4'
  const state = openPicker('Model', [{ value: 1, label, about: '1M  $0.66/$1.1  no key' }])
  const row = drawPicker(state, 10, lookOf(40)).find((line) => line.includes('deepseek'))
  expect(row).toContain(`> ${label}  1M`)
})
