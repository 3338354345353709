// Pages of commands: current keys, commands, usage, changes.
import { expect, test } from 'vitest'
import { buildKeyMap } from '../../../../internal/tui/input/key-map.ts'
import {
  drawCommandHelp,
  drawKeyHelp,
  drawKeySettings,
  drawThreadChanges,
  drawUsage,
} from '../../../../internal/tui/view/session-pages.ts'
import { golden } from '../../../support/golden.ts'
import { cartDrafts, foldDrafts, lookOf } from '../../../support/session-view.ts'

const built = buildKeyMap({ suspend: [] })
const view = { ...foldDrafts(cartDrafts), context: { tokens: 36_000, window: 200_000 } }

test.each([40, 80])('help at %i cells', (width) => {
  if (built.kind !== 'map') throw new Error(built.problems.join())
  const look = lookOf(width)
  const lines = [...drawKeyHelp(built.map, look), ...drawCommandHelp(look)]
  golden(`session/help-${width}.txt`, `${lines.join('\n')}\n`)
})

test('shows changed keys in their current form, and how to change them', () => {
  const changed = buildKeyMap({ editor: 'F4', help: 'ctrl-a', suspend: [] })
  if (changed.kind !== 'map') throw new Error(changed.problems.join())
  const help = drawKeyHelp(changed.map, lookOf()).join('\n')
  expect(help).toMatch(/^ F4 +edit the text in your editor$/m)
  expect(help).toMatch(/^ Ctrl-A +these keys/m)
  expect(help).toMatch(/^ Ctrl-E +end of the line$/m)
  expect(help).not.toMatch(/Ctrl-G|Ctrl-Z|F1/)
  const settings = drawKeySettings(changed.map, lookOf()).join('\n')
  expect(settings).toMatch(/^ F4 +editor: edit the text in your editor$/m)
  expect(settings).toMatch(/^ no key +suspend: suspend$/m)
  expect(settings).toContain('anode config set ui.keys.editor f4')
})

test('shows tokens, cost and the share of the used window', () => {
  expect(drawUsage(view, lookOf())).toEqual([
    ' Usage',
    ' model       openai/gpt-5.4',
    ' tokens in   36,000, 0 of them from the cache',
    ' tokens out  2,100',
    ' cost        $0.07',
    ' context     36,000 of 200,000 (18%)',
  ])
})

const changeOf = (more: object = {}) => ({
  file: { path: 'a.ts', what: 'changed', hunks: '@@ -1 +1 @@\n-one\n+two\n', added: 1, removed: 1 },
  isCut: false,
  ...more,
})

test('shows the diffs of a thread with their agents, and reports missing parts', () => {
  const changes = [changeOf(), changeOf({ agent: 'Fix it', isCut: true })]
  expect(drawThreadChanges(changes, 2, lookOf())).toEqual([
    ...[' │ a.ts  changed  +1 -1', ' │ - 1  one', ' │ + 1  two'],
    ...[' │ a.ts  changed, by Fix it  +1 -1', ' │ - 1  one', ' │ + 1  two'],
    ...[' the rest of this change is not recorded', ' Without 2 agents still running.'],
  ])
  expect(drawThreadChanges([], 0, lookOf())[0]).toContain('No tool has reported a changed file')
})

test('draws them side by side on a wide page, and never in the scrollback', () => {
  const [, , row] = drawThreadChanges([changeOf()], 0, { ...lookOf(150), all: true })
  expect(row).toMatch(/- 1 {2}one +│ \+ 1 {2}two/)
  expect(drawThreadChanges([changeOf()], 0, lookOf(150))).toContain(' │ + 1  two')
})
