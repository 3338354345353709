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

const widths = Array.from({ length: 51 }, (_, i) => 30 + i)
const letters = (text: string) => text.replace(/[^a-z0-9$/.:-]/gi, '')

test.each(widths)('at %i cells the title, each label and the selected description are whole', (width) => {
  const title = 'Model of the agents that this conversation starts'
  const named = ['deepseek/deepseek-v4-with-a-long-name', 'anthropic/claude', 'openai/gpt with two words']
  const about = 'reads images, 1M tokens of context, $0.66/$1.1, no key is stored'
  const items = named.map((label, value) => ({ value, label, about }))
  for (const current of [0, 1, 2]) {
    const lines = drawPicker(openPicker(title, items, { current }), 16, lookOf(width))
    expect(lines.length).toBeLessThanOrEqual(16)
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(width)
    const all = letters(lines.join(''))
    for (const text of [title, ...named, about]) expect(all).toContain(letters(text))
    expect(lines.filter((line) => line.includes('> '))).toHaveLength(2)
  }
})

test('shows wrapped items within its rows, and always the selected one', () => {
  const items = Array.from({ length: 30 }, (_, i) => ({
    ...{ value: i, label: `${'a long name '.repeat(4)}${i}`, about: 'about it '.repeat(9) },
  }))
  for (let rows = 8; rows < 24; rows++)
    for (const current of [0, 1, 14, 28, 29]) {
      const lines = drawPicker(openPicker('Model', items, { current }), rows, lookOf(40))
      expect(lines.length).toBeLessThanOrEqual(rows)
      expect(lines.filter((line) => /> a long/.test(line))).toHaveLength(1)
    }
})
