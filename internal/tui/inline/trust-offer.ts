// The dialogs that open by themselves when the user stops typing: pending answers, then the trust question.
import { inlineCommandScreen } from '../command/inline-command-screen.ts'
import { openTrustChoice } from '../command/setup-command.ts'
import { mayOpenDialog } from '../dialog/dialog-focus.ts'
import { openWaiting } from './dialogs.ts'
import type { InlineState } from './inline-state.ts'

/**
 * Reads the trust question. It is asked once in a session, and only if an untrusted workspace
 * contains relevant files.
 */
export async function readTrustOffer(state: InlineState): Promise<void> {
  const trust = await state.screen.service.readTrust?.().catch(() => undefined)
  if (!trust || trust.state === 'trusted' || trust.files.length === 0) return
  state.overlays.trustOffer = trust
  state.screen.changed()
}

/**
 * Opens the next dialog, and returns whether it did. `asked` means that the user requested it. Otherwise it
 * opens only while no one types.
 */
export function openNextDialog(state: InlineState, asked: boolean, now = Date.now()): boolean {
  // held input belongs to the list that a command opens
  if (!asked && state.overlays.held) return false
  if (openWaiting(state, asked, now)) return true
  const {
    overlays: { trustOffer, dialog },
    composer: { editor },
    hints: { lastKeyAt },
  } = state
  const isFree = asked || mayOpenDialog({ text: editor.text(), lastKeyAt }, now)
  if (!trustOffer || dialog || !isFree) return false
  state.overlays.trustOffer = undefined
  openTrustChoice(inlineCommandScreen(state), trustOffer, true)
  return true
}
