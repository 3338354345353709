// The sending of commands from a screen to its session. Each command has a new id, and errors are
// shown as hints.
import { createUlid } from '../../base/ids.ts'
import type { CommandReply } from '../../session/client.ts'
import type { SessionCommand } from '../../session/commands.ts'
import { rememberWish } from '../input/next-wishes.ts'
import { errorReadMs, type InlineState, showHint } from './inline-state.ts'

/**
 * Sends a command to the session. Returns undefined if it was rejected; the user has then seen the reason.
 */
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

/**
 * Sends a message. If the session does not reply within `slowMs`, the message is shown above the editor
 * until it does.
 */
export async function sendWords(
  state: InlineState,
  text: string,
  command: SessionCommand,
): ReturnType<typeof sendCommand> {
  const sending = { text, since: Date.now() }
  state.conversation.sending = sending
  // Most messages are recorded before the user could see this row, so it is shown only after a delay.
  const showTimer = setTimeout(() => state.screen.changed(), slowMs)
  try {
    return await sendCommand(state, command)
  } finally {
    clearTimeout(showTimer)
    if (state.conversation.sending === sending) state.conversation.sending = undefined
    state.screen.changed()
  }
}

/** Time in milliseconds after which the screen shows the reason for a delay. */
export const slowMs = 250
