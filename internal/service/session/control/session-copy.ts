// Copy of a session's thread, in which a client continues separately.

import { openThread } from '../../../runtime/run/run-thread.ts'
import type { CommandReply } from '../../../session/client.ts'
import type { SessionParts } from '../session-parts.ts'

/**
 * Copies the thread up to the event `at` and returns a reply with the ID of the copy. Default: the complete
 * thread. Returns an error reply for an empty thread and an unknown event.
 */
export async function copySession(
  { thread, feed, settings, context }: Pick<SessionParts, 'thread' | 'feed' | 'settings' | 'context'>,
  at: number | undefined,
): Promise<CommandReply> {
  const { view } = feed
  if (!thread.isStored)
    return { ok: false, code: 'not_found', message: 'nothing was said in this thread yet' }
  if (at !== undefined && (at < 1 || at > view.pos))
    return {
      ok: false,
      code: 'bad_args',
      message: `${at} is not an event of this thread: it has ${view.pos}`,
    }
  const { profile, model } = settings.agent
  const resume = { thread: thread.id, fork: true, at: at ?? view.pos }
  const copy = openThread(await thread.store(), context.workspace, profile, model.id, {
    prompt: undefined,
    resume,
  })
  return { ...feed.accept(), thread: copy.thread }
}
