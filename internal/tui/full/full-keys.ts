// Keys and mouse input of the full screen, which scroll, select text and show or hide the pane.

import { copyOutside } from '../command/outside-text.ts'
import { readEarlierBlocks } from '../inline/earlier-blocks.ts'
import type { InlineState } from '../inline/inline-state.ts'
import type { KeyPress } from '../input/key-press.ts'
import type { MouseInput } from '../terminal/key-decoder.ts'
import { scrollFullView } from './full-view.ts'
import { readSelection, type TextPlace } from './selection.ts'

/** Number of lines that one step of the mouse wheel scrolls. */
const wheelLines = 3

/** Handles a key of the full screen. Returns false if the key has another meaning. */
export function pressFullKey(state: InlineState, { key }: KeyPress): boolean {
  const {
    display: { full },
    composer: { editor },
  } = state
  const { lines, height, messages } = full.shown
  const page = Math.max(1, height - 2)
  const { top } = full.window
  switch (key) {
    case 'pageup':
      return scrollWindow(state, -page)
    case 'pagedown':
      return scrollWindow(state, page)
    case 'home':
      return editor.isEmpty() && scrollWindow(state, -lines.length)
    case 'end':
      return editor.isEmpty() && scrollWindow(state, lines.length)
    case 'ctrl-up':
      return scrollWindow(state, (messages.findLast((line) => line < top) ?? 0) - top)
    case 'ctrl-down':
      return scrollWindow(state, (messages.find((line) => line > top) ?? lines.length) - top)
    default:
      return false
  }
}

function scrollWindow(state: InlineState, lines: number): true {
  const {
    display: { full },
    screen,
  } = state
  const { shown: content, window } = full
  full.window = scrollFullView(window, lines, content.lines.length, content.height)
  if (lines < 0 && full.window.top === 0) void readEarlierBlocks(state).then(() => screen.changed())
  screen.changed(true)
  return true
}

export function togglePane(state: InlineState): void {
  state.display.full.isPaneClosed = !state.display.full.isPaneClosed
  state.screen.changed(true)
}

/**
 * Handles mouse input. The wheel scrolls, a press starts a new selection, and a release copies
 * the selected text.
 */
export function handleMouse(state: InlineState, { action, row, column }: MouseInput): void {
  const {
    display: { full },
    screen,
  } = state
  const place: TextPlace = { line: full.window.top + row, column }
  switch (action) {
    case 'wheelUp':
    case 'wheelDown':
      scrollWindow(state, action === 'wheelUp' ? -wheelLines : wheelLines)
      break
    case 'press':
      full.selection = undefined
      full.pressed = row < full.shown.height && column <= state.display.look.width ? place : undefined
      screen.changed(true)
      break
    case 'drag':
      if (full.pressed) full.selection = { from: full.pressed, to: place }
      screen.changed()
      break
    case 'release':
      full.pressed = undefined
      if (full.selection) void copyOutside(state, readSelection(full.shown.lines, full.selection))
  }
}
