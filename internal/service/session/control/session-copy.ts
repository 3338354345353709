// A copy of a session's thread, for a client that goes on in it.

import { openThread } from '../../../runtime/run/run-thread.ts'
import type { CommandReply } from '../../../session/client.ts'
import { acceptCommand, type SessionState } from '../session-state.ts'

/** `at` is the last event that is copied; absent: all of them. */
export async function copySession(state: SessionState, at: number | undefined): Promise<CommandReply> {
  const { thread, view, agent, context } = state
  if (!thread.isStored())
    return { ok: false, code: 'not_found', message: 'nothing was said in this thread yet' }
  if (at !== undefined && (at < 1 || at > view.pos))
    return { ok: false, code: 'bad_args', message: `${at} is no event of this thread: it has ${view.pos}` }
  const { profile, model } = agent
  const resume = { thread: thread.id, fork: true, at: at ?? view.pos }
  const copy = openThread(await thread.store(), context.workspace, profile, model.id, {
    prompt: undefined,
    resume,
  })
  return { ...acceptCommand(state), thread: copy.thread }
}
