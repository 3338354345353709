// Another process on the same thread: nothing begins while it is at work; what it has done is met first.

import { findOtherDriver } from '../../../runtime/run/thread-claim.ts'
import type { CommandReply } from '../../../session/client.ts'
import { publishEvent, type SessionState } from '../session-state.ts'

/**
 * Why nothing can begin now, or undefined. What another process has put on the thread is shown here, and is
 * part of the conversation from then on.
 */
export async function meetOtherDriver(state: SessionState): Promise<CommandReply | undefined> {
  const { thread, context } = state
  if (!thread.isStored() || state.running?.isOnRecord) return undefined
  const obstacle = await findOtherDriver(context.data, thread.id)
  if (obstacle)
    return {
      ok: false,
      code: 'refused',
      message: obstacle.message,
      ...(obstacle.hint !== undefined && { hint: obstacle.hint }),
    }
  const { threads } = await thread.store()
  for (;;) {
    const page = threads.events(thread.id, state.view.pos, 500)
    if (page.length === 0) return undefined
    thread.reread()
    for (const { pos, ...event } of page) publishEvent(state, event, pos)
  }
}
