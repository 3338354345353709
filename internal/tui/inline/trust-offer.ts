// What opens by itself once nobody types: what waits for an answer, then what an untrusted workspace brings.
import { inlineCommandScreen } from '../command/inline-command-screen.ts'
import { openTrustChoice } from '../command/setup-command.ts'
import { mayOpenDialog } from '../dialog/dialog-focus.ts'
import { openWaiting } from './dialogs.ts'
import type { InlineState } from './inline-state.ts'

/** Asked once a session, and only where the workspace brings something. */
export async function readTrustOffer(state: InlineState): Promise<void> {
  const trust = await state.screen.service.readTrust?.().catch(() => undefined)
  if (!trust || trust.state === 'trusted' || trust.files.length === 0) return
  state.overlays.trustOffer = trust
  state.screen.changed()
}

/** `asked`: the person wants it, else only when nobody types. */
export function openNextDialog(state: InlineState, asked: boolean, now = Date.now()): boolean {
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
