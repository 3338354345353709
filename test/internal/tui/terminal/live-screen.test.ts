// A screen on a terminal whose size changes again before the rows for the first change are erased.
import { expect, it } from 'vitest'
import { openLiveScreen } from '../../../../internal/tui/terminal/live-screen.ts'
import { emulateTerminal } from '../../../support/emulator.ts'

const rule = '─'.repeat(79)

it.each([40, 44, 53, 60, 78])(
  'keeps printed lines if the terminal grows from %i columns unseen',
  async (narrow) => {
    const terminal = emulateTerminal(80, 24)
    const { input, output } = terminal
    let finished = ['first line', 'second line', 'third line']
    const screen = openLiveScreen(
      { input, output, env: {} },
      {
        reflow: 'lines',
        content({ columns }) {
          const lines = finished
          finished = []
          return {
            finished: lines,
            rows: [rule, rule, rule, `input at ${columns}`, rule],
            caret: { row: 3, column: 5 },
          }
        },
        input: () => undefined,
        gone: () => undefined,
      },
    )
    screen.changed(true)
    await terminal.until(/input at 80/)
    terminal.resize(narrow, 24)
    // The answer to the request for the position: the cursor is in its column, so the frame arrived before.
    terminal.type('\x1b[8;6R')
    await terminal.lines()
    terminal.resizeUnseen(100, 24)
    await terminal.until(/input at 100/)
    await screen.close()
    const lines = await terminal.lines()
    expect(lines.filter((line) => /line/.test(line))).toEqual(['first line', 'second line', 'third line'])
  },
)
