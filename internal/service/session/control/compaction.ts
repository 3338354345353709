// Compaction, which shortens the conversation of a session when the user requests it.
import { openThreadRun } from '../../../runtime/run/thread-run.ts'
import type { CommandReply } from '../../../session/client.ts'
import type { SessionParts } from '../session-parts.ts'
import type { SessionTurn } from '../turn.ts'

type CompactionParts = Pick<SessionParts, 'feed' | 'thread' | 'turns' | 'runs'>

/**
 * Shortens the conversation and returns a reply, also if nothing could be shortened. `focus` names
 * content that the summary has to keep. Returns an error reply while a run is active or another process
 * serves the thread.
 */
export async function compactConversation(
  parts: CompactionParts,
  focus: string | undefined,
): Promise<CommandReply> {
  const { feed, thread, turns } = parts
  if (!thread.isStored && !turns.running) return feed.accept('nothing was said in this thread yet')
  return turns.exclude(async (turn) => {
    const { isReplaced, hasNote } = await shortenConversation(parts, turn, focus)
    if (turn.signal.aborted && !isReplaced) return feed.accept('stopped: the conversation is as it was')
    const isSeen = isReplaced || hasNote
    return feed.accept(isSeen ? undefined : 'nothing could be shortened: the conversation is short')
  })
}

/**
 * Shortens the conversation. `isReplaced` is true if a shorter conversation replaced it, `hasNote` if a
 * note was recorded.
 */
async function shortenConversation(
  { thread, runs }: CompactionParts,
  { signal }: SessionTurn,
  focus: string | undefined,
) {
  const opened = await thread.open('untitled')
  const record = opened.recordRun()
  const runtime = await runs.awaitParts(signal)
  const { session } = await openThreadRun({ ...runs.options(opened, record, signal), runtime })
  const steps = session.agent.compact(opened.conversation.messages, 'asked', focus)
  let hasNote = false
  for (;;) {
    const step = await steps.next()
    if (step.done) {
      record.flush()
      return { isReplaced: step.value, hasNote }
    }
    hasNote ||= step.value.type === 'model.notice'
    await record.append(step.value)
  }
}
