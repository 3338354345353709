// The dialogs that open by themselves when the user stops typing: pending approvals and questions, then the
// question about trust.
import { inlineCommandScreen } from '../command/inline-command-screen.ts'
import { openTrustChoice } from '../command/setup-command.ts'
import { mayOpenDialog } from '../dialog/dialog-focus.ts'
import { openWaiting } from './dialogs.ts'
import type { InlineState } from './inline-state.ts'

/**
 * Reads the files for the question about trust. It is asked once in a session, and only if an untrusted
 * workspace contains such files.
 */
export async function readTrustOffer(state: InlineState): Promise<void> {
  const trust = await state.screen.service.readTrust?.().catch(() => undefined)
  if (!trust || trust.state === 'trusted' || trust.files.length === 0) return
  state.overlays.trustOffer = trust
  state.screen.changed()
}

/**
 * Opens the next dialog. Returns true if one was opened. `isRequested` means that the user requested it;
 * otherwise it opens only while the user does not type.
 */
export function openNextDialog(state: InlineState, isRequested: boolean, now = Date.now()): boolean {
  // Input that waits belongs to the list that a command is opening, so no other dialog may open now.
  if (!isRequested && state.overlays.held) return false
  if (openWaiting(state, isRequested, now)) return true
  const {
    overlays: { trustOffer, dialog },
    composer: { editor },
    hints: { lastKeyAt },
  } = state
  const isFree = isRequested || mayOpenDialog({ text: editor.text(), lastKeyAt }, now)
  if (!trustOffer || dialog || !isFree) return false
  state.overlays.trustOffer = undefined
  openTrustChoice(inlineCommandScreen(state), trustOffer, true)
  return true
}
