// The conversations of a workspace: list, search, rename, archive and read.

import type { CommandReply, SessionEvent, ThreadSummary } from '../../session/client.ts'
import { handedOverReason } from '../../session/view/fold-run.ts'
import type { Store, Thread } from '../../store/store.ts'

/**
 * Returns at most `limit` conversations of a workspace, latest first, without archived threads, direct tool
 * calls and subagents. With a search text, returns the best matches first, each with an excerpt. The threads
 * to leave out are removed after the search, so there may be fewer matches than `limit`.
 */
export function listThreads(
  store: Store,
  workspace: string,
  { text, limit }: { text?: string; limit: number },
): ThreadSummary[] {
  const isConversation = (thread: Thread) =>
    // direct calls have no conversation, and subagents are shown in their parents
    thread.model !== null && !thread.archived && !isSubagent(store, thread)
  if (text === undefined || text.trim() === '')
    return listConversations(store, workspace, limit, isConversation).map((one) =>
      summarizeThread(store, one),
    )
  return store.threads
    .search(text, { workspace, limit })
    .filter(({ thread }) => isConversation(thread))
    .map(({ thread, snippet }) => ({ ...summarizeThread(store, thread), snippet }))
}

/**
 * Returns conversations up to the limit. Threads that are not conversations do not count towards the limit.
 */
function listConversations(
  { threads }: Store,
  workspace: string,
  limit: number,
  isConversation: (thread: Thread) => boolean,
): Thread[] {
  for (let read = limit; ; read *= 4) {
    const all = threads.list({ workspace, limit: read })
    const conversations = all.filter(isConversation)
    if (conversations.length >= limit || all.length < read) return conversations.slice(0, limit)
  }
}

/**
 * Returns true if the thread is one of the latest 500 subagents of its parent. A fork also has a parent but
 * is not a subagent.
 */
export function isSubagent(store: Store, { id, parent }: Thread): boolean {
  if (parent === null) return false
  const started = store.threads.tail(parent, 500, ['child.started'])
  return started.some(({ type, payload }) => type === 'child.started' && payload.thread === id)
}

function summarizeThread(
  { threads }: Store,
  { id, title, profile, model, updated, events }: Thread,
): ThreadSummary {
  const [initEvent] = threads.tail(id, 1, ['system.init'])
  const branch = initEvent?.type === 'system.init' ? initEvent.payload.branch : undefined
  return { thread: id, title, profile, model: model ?? '', updated, events, branch }
}

/**
 * Returns the last `limit` events of a thread, at most 500; an empty list for a thread that is unknown or
 * in another workspace.
 */
export function readThreadEnd(
  store: Store,
  workspace: string,
  thread: string,
  limit: number,
): SessionEvent[] {
  return hasThread(store, workspace, thread) ? store.threads.tail(thread, Math.min(limit, 500)) : []
}

/**
 * Returns the cost of all ended runs in US dollars; null if a price is unknown, 0 for a thread that is
 * unknown or in another workspace.
 */
export function readThreadCost(store: Store, workspace: string, thread: string): number | null {
  return hasThread(store, workspace, thread) ? sumRunCosts(store, thread).usd : 0
}

/**
 * Returns the number of ended runs and their cost; the cost is null if a price is unknown. A run that
 * continued in another process counts once.
 */
export function sumRunCosts({ threads }: Store, thread: string): { runs: number; usd: number | null } {
  const ends = threads.tail(thread, 100_000, ['run.ended'])
  const costs = ends.map(({ payload }) => (payload as { usd?: number | null }).usd ?? null)
  const add = (sum: number | null, cost: number | null) => (sum === null || cost === null ? null : sum + cost)
  const runs = ends.filter(({ payload }, at) => at === ends.length - 1 || !goesOn(payload))
  return { runs: runs.length, usd: costs.reduce<number | null>(add, 0) }
}

/** Returns true if the run continues in another process. Both parts then count as one run. */
const goesOn = (payload: unknown) => (payload as { reason?: string }).reason === handedOverReason

export function changeThread(
  store: Store,
  workspace: string,
  { thread, title, archived }: { thread: string; title?: string; archived?: boolean },
): CommandReply {
  if (!hasThread(store, workspace, thread))
    return { ok: false, code: 'not_found', message: 'thread not found in this workspace' }
  if (title !== undefined) store.threads.rename(thread, title)
  if (archived !== undefined) store.threads.archive(thread, archived)
  return { ok: true, pos: 0 }
}

const hasThread = (store: Store, workspace: string, thread: string) =>
  store.threads.get(thread)?.workspace === workspace
