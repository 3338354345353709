// Commands of a screen to its session: each with an id of its own, and what went wrong as a hint.
import { createUlid } from '../../base/ids.ts'
import type { CommandReply } from '../../session/client.ts'
import type { SessionCommand } from '../../session/commands.ts'
import { rememberWish } from '../input/next-wishes.ts'
import { errorReadMs, type InlineState, showHint } from './inline-state.ts'

/** Undefined when it was refused; then the person knows why. */
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

/** The same for words: until they are on record they stand above the editor. */
export async function sendWords(
  state: InlineState,
  text: string,
  command: SessionCommand,
): ReturnType<typeof sendCommand> {
  const sending = { text, since: Date.now() }
  state.conversation.sending = sending
  // most are on record before anybody could see this
  const shown = setTimeout(() => state.screen.changed(), slowMs)
  try {
    return await sendCommand(state, command)
  } finally {
    clearTimeout(shown)
    if (state.conversation.sending === sending) state.conversation.sending = undefined
    state.screen.changed()
  }
}

/** From then on it is said what is waited for. */
export const slowMs = 250
