// Input that arrives after a command and before the list or page that the command opens.
import type { InlineState } from './inline-state.ts'

/**
 * Longest time in milliseconds for which input waits for a list or page to open. Later input goes
 * to the editor.
 */
const maxHoldMs = 3_000

/**
 * Runs `open` and holds the input that arrives meanwhile, at most `maxHoldMs`, so that the opened list or
 * page gets that input in order. An error of `open` is passed on after the input is released. If input is
 * held already, only runs `open`.
 */
export async function holdInput(state: InlineState, open: () => void | Promise<void>): Promise<void> {
  if (state.overlays.held) return open()
  const inputs: NonNullable<InlineState['overlays']['held']> = []
  state.overlays.held = inputs
  const release = () => {
    if (state.overlays.held !== inputs) return
    state.overlays.held = undefined
    for (let input = inputs.shift(); input; input = inputs.shift()) state.screen.press(input)
  }
  const timer = setTimeout(release, maxHoldMs)
  try {
    await open()
  } finally {
    clearTimeout(timer)
    release()
  }
}
