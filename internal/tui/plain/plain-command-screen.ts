// The plain screen in the form in which commands use it.
import type { RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { CommandScreen } from '../command/command-screen.ts'
import { chooseByLine, enterLine, pickByNumber } from './plain-choice.ts'
import { type PlainState, sendCommand } from './plain-state.ts'

export function plainCommandScreen(state: PlainState): CommandScreen {
  const {
    conversation: { client },
    screen: { service },
  } = state
  // The left margin of other screens has no meaning when lines are read aloud, so it is removed.
  const print = (lines: readonly string[]) => state.printer.print(lines.map((line) => line.replace(/^ /, '')))
  return {
    client,
    service,
    home: state.screen.io.env.HOME,
    hidesEntries: false,
    get view() {
      return state.conversation.view
    },
    get look() {
      return lookOfLines(state.printer)
    },
    tell: (text) => state.printer.print([sanitizeText(text)]),
    print,
    // Without `all`, file changes are drawn in one column, because lines in two columns cannot be read aloud.
    printLong: (draw) => print(draw({ ...lookOfLines(state.printer), all: false })),
    show: (lines) => state.printer.print(lines.map(({ text, lead = '' }) => sanitizeText(lead + text))),
    send: (command) => sendCommand(state, command),
    pick: (title, items, follow, more) => pickByNumber(state, title, items, follow, more),
    choose: (choice, follow) => chooseByLine(state, choice, follow),
    enter: (entry, follow) => enterLine(state, entry, follow),
    open: (source, text) => state.screen.open(source, text),
    text: () => state.composer.text,
  }
}

/**
 * Returns the drawing settings of plain lines: ASCII characters, without color, and with everything unfolded.
 */
export const lookOfLines = (state: PlainState['printer']): RenderLook => ({
  width: Math.max(20, state.width() - 1),
  color: 0,
  unicode: false,
  ambiguous: 1,
  all: true,
})
