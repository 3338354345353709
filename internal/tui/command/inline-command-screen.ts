// The inline and the full screen in the form in which commands use them.
import { askChoice, askEntry, openPickerDialog } from '../inline/dialogs.ts'
import { errorReadMs, type InlineState, showHint } from '../inline/inline-state.ts'
import { sendCommand } from '../inline/send-command.ts'
import { openPage } from '../page/live-page.ts'
import { createFixedPage } from '../page/text-page.ts'
import { breakLines } from '../terminal/rows.ts'
import { penOfLook } from '../view/look-pen.ts'
import type { CommandScreen } from './command-screen.ts'
import { openConversation } from './open-conversation.ts'

/**
 * Largest number of lines that `printLong` prints to the scrollback of the terminal. More lines open a page.
 */
const maxPrinted = 2_000

export function inlineCommandScreen(state: InlineState): CommandScreen {
  const {
    conversation: { client },
    screen: { service },
    screen,
  } = state
  return {
    client,
    service,
    home: state.screen.io.env.HOME,
    hidesEntries: true,
    get view() {
      return state.conversation.view
    },
    get look() {
      return state.display.look
    },
    tell: (text, ms) => showHint(state, text, ms, errorReadMs),
    print(lines) {
      state.hints.notes.push([...lines])
      screen.changed(true)
    },
    printLong(draw) {
      const lines = draw(state.display.look)
      if (lines.length > maxPrinted)
        openPage(
          state,
          createFixedPage((look) => draw({ ...look, all: true })),
        )
      else this.print(lines)
    },
    show: (lines) =>
      openPage(
        state,
        createFixedPage((look) => breakLines(lines, look.width, penOfLook(look)).map(({ text }) => text)),
      ),
    send: (command) => sendCommand(state, command),
    pick: (title, items, follow, more) => openPickerDialog(state, title, items, follow, more),
    choose: (choice, follow) => askChoice(state, choice, follow),
    enter: (entry, follow) => askEntry(state, entry, follow),
    open: (source, text) => openConversation(state, source, text),
    text: () => state.composer.editor.text(),
  }
}
