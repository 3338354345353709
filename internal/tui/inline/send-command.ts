// Commands from a screen to its session, each with a new ID, and errors shown as hints.
import { createUlid } from '../../base/ids.ts'
import type { CommandReply } from '../../session/client.ts'
import type { SessionCommand } from '../../session/commands.ts'
import { rememberWish } from '../input/next-wishes.ts'
import { errorReadMs, type InlineState, showHint } from './inline-state.ts'

/** Sends a command. Returns undefined if it was rejected; the user has seen the reason then. */
export async function sendCommand(
  state: InlineState,
  command: SessionCommand,
): Promise<Extract<CommandReply, { ok: true }> | undefined> {
  const reply = await state.conversation.client.sendCommand({ ...command, id: createUlid() })
  if (!reply.ok) {
    showHint(
      state,
      reply.hint === undefined ? reply.message : `${reply.message}; ${reply.hint}`,
      10_000,
      errorReadMs,
    )
    return undefined
  }
  state.screen.wishes = rememberWish(state.screen.wishes, command)
  if (reply.message !== undefined) showHint(state, reply.message)
  return reply
}

/** Sends a message and shows it above the editor until it is recorded. */
export async function sendWords(
  state: InlineState,
  text: string,
  command: SessionCommand,
): ReturnType<typeof sendCommand> {
  const sending = { text, since: Date.now() }
  state.conversation.sending = sending
  // most messages are recorded before the user could see this row
  const shown = setTimeout(() => state.screen.changed(), slowMs)
  try {
    return await sendCommand(state, command)
  } finally {
    clearTimeout(shown)
    if (state.conversation.sending === sending) state.conversation.sending = undefined
    state.screen.changed()
  }
}

/** Time in ms after which the screen shows the reason of a delay. */
export const slowMs = 250
