// The switch to another conversation, which asks the user before it stops running work.
import type { SessionSource } from '../../session/client.ts'
import { busyLines, isBusy, stopGoingOn, stopMs } from '../inline/busy-session.ts'
import { askChoice } from '../inline/dialogs.ts'
import { type InlineState, showFailure, showHint } from '../inline/inline-state.ts'
import { wholeText } from '../input/editor-text.ts'
import { wishesFor } from '../input/next-wishes.ts'
import { closePages } from '../page/live-page.ts'

/**
 * Opens a conversation and puts `text` into its editor. Asks the user first if work would stop. If opening
 * fails, the current conversation stays.
 */
export function openConversation(state: InlineState, source: SessionSource, text?: string): void {
  closePages(state)
  if (!isBusy(state)) {
    void openNext(state, source, text)
    return
  }
  const answers = [{ key: 's', label: 'stop it and switch' }]
  askChoice(
    state,
    { title: 'Open another conversation while this runs', lines: busyLines(state), answers },
    () => {
      showHint(state, 'stopping', stopMs)
      void stopGoingOn(state).then(() => openNext(state, source, text))
    },
  )
}

async function openNext(state: InlineState, source: SessionSource, text: string | undefined): Promise<void> {
  const {
    screen: { service },
    screen,
    composer: { editor, draft },
    conversation: { view },
  } = state
  try {
    const client = await service.openSession(source, wishesFor(source, state.screen.wishes, view))
    // Text that the user has typed meanwhile moves to the next conversation.
    const typed = [text ?? '', wholeText(state.composer)].filter((one) => one !== '').join('\n')
    editor.setText('')
    if (typed !== '') draft.change(state.composer.aside?.text ?? '')
    screen.open(client, typed)
  } catch (error) {
    showFailure(state, error)
  }
}
