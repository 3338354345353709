// The menu under the text and the selection in it.
import { expect, test } from 'vitest'
import {
  type CompletionMenu,
  commandMenu,
  completeText,
  drawLowMenu,
  drawMenu,
  moveMenu,
} from '../../../../internal/tui/inline/completion-menu.ts'
import { slashCommands } from '../../../../internal/tui/input/slash-command.ts'
import { countNarrowRows } from '../../../../internal/tui/terminal/live-reflow.ts'
import { lookOf } from '../../../support/session-view.ts'

const menuOf = (text: string) => commandMenu(text, text.length) as CompletionMenu

test('reaches every command, shows some rows at a time, and counts the others', () => {
  const rows = slashCommands.map((_, i) => {
    const menu = moveMenu(menuOf('/'), i)
    const drawn = drawMenu(menu, lookOf(60))
    expect(drawn).toHaveLength(7)
    expect(drawn.at(-1)).toBe(`   … ${slashCommands.length - 6} more`)
    const done = completeText(menu, '/', 1).text.trim()
    expect(drawn.find((row) => row.startsWith(' >'))).toContain(`${done} `)
    return done
  })
  expect(rows).toEqual(slashCommands.map(({ name }) => `/${name}`))
})

test.each([...Array(60).keys()])('uses %i free rows, and always shows the selected command', (room) => {
  for (const step of [0, 5, 20, slashCommands.length - 1]) {
    const drawn = drawMenu(moveMenu(menuOf('/'), step), lookOf(60), room)
    expect(drawn).toHaveLength(Math.min(slashCommands.length, Math.max(7, room)))
    expect(drawn.filter((row) => row.startsWith(' >'))).toHaveLength(1)
  }
})

test('a short menu has no count', () => {
  expect(drawMenu(menuOf('/mo'), lookOf(60))).toHaveLength(2)
})

test.each([80, 119, 200])('shows a menu that a third of %i columns has room for', (width) => {
  for (let room = 8; room <= 30; room++) {
    const drawn = drawLowMenu(menuOf('/'), lookOf(width), 40, room)
    expect(countNarrowRows(drawn, width)).toBeLessThanOrEqual(room)
    expect(drawn[0]).toMatch(/^ > \/\S/)
    expect(drawn.at(-1)).toMatch(/\d+ more$/)
  }
  expect(drawLowMenu(menuOf('/'), lookOf(width), 40, 1)).toHaveLength(3)
})
