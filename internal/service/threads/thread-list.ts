// The conversations of a workspace: listed, searched, renamed, archived, and looked into.

import type { CommandReply, SessionEvent, ThreadSummary } from '../../session/client.ts'
import { handedOverReason } from '../../session/view/fold-run.ts'
import type { Store, Thread } from '../../store/store.ts'

/** Newest first; with a text best first, with where it was found. */
export function listThreads(
  store: Store,
  workspace: string,
  { text, limit }: { text?: string; limit: number },
): ThreadSummary[] {
  const isConversation = (thread: Thread) =>
    // those of direct calls hold no conversation, children are seen in their parents
    thread.model !== null && !thread.archived && !isChild(store, thread)
  if (text === undefined || text.trim() === '')
    return listConversations(store, workspace, limit, isConversation).map((one) =>
      summarizeThread(store, one),
    )
  return store.threads
    .search(text, { workspace, limit })
    .filter(({ thread }) => isConversation(thread))
    .map(({ thread, snippet }) => ({ ...summarizeThread(store, thread), snippet }))
}

/** As many as there are up to the limit, however many others lie between them. */
function listConversations(
  { threads }: Store,
  workspace: string,
  limit: number,
  isConversation: (thread: Thread) => boolean,
): Thread[] {
  for (let read = limit; ; read *= 4) {
    const all = threads.list({ workspace, limit: read })
    const found = all.filter(isConversation)
    if (found.length >= limit || all.length < read) return found.slice(0, limit)
  }
}

/** A copy of a thread has a parent as well. */
function isChild(store: Store, { id, parent }: Thread): boolean {
  if (parent === null) return false
  const started = store.threads.tail(parent, 500, ['child.started'])
  return started.some(({ type, payload }) => type === 'child.started' && payload.thread === id)
}

function summarizeThread(
  { threads }: Store,
  { id, title, profile, model, updated, events }: Thread,
): ThreadSummary {
  const [begun] = threads.tail(id, 1, ['system.init'])
  const branch = begun?.type === 'system.init' ? begun.payload.branch : undefined
  return { thread: id, title, profile, model: model ?? '', updated, events, branch }
}

/** Its last events, of this workspace alone; none for a thread that is not there. */
export function readThreadEnd(
  store: Store,
  workspace: string,
  thread: string,
  limit: number,
): SessionEvent[] {
  return hasThread(store, workspace, thread) ? store.threads.tail(thread, Math.min(limit, 500)) : []
}

/** The sum of its runs; null where a price was unknown. */
export function readThreadCost(store: Store, workspace: string, thread: string): number | null {
  return hasThread(store, workspace, thread) ? sumRunCosts(store, thread).usd : 0
}

/** Runs that have ended, and what they have cost. */
export function sumRunCosts({ threads }: Store, thread: string): { runs: number; usd: number | null } {
  const ends = threads.tail(thread, 100_000, ['run.ended'])
  const costs = ends.map(({ payload }) => (payload as { usd?: number | null }).usd ?? null)
  const add = (sum: number | null, cost: number | null) => (sum === null || cost === null ? null : sum + cost)
  const runs = ends.filter(({ payload }, at) => at === ends.length - 1 || !goesOn(payload))
  return { runs: runs.length, usd: costs.reduce<number | null>(add, 0) }
}

/** A run that was handed over is the one that goes on behind it. */
const goesOn = (payload: unknown) => (payload as { reason?: string }).reason === handedOverReason

export function changeThread(
  store: Store,
  workspace: string,
  { thread, title, archived }: { thread: string; title?: string; archived?: boolean },
): CommandReply {
  if (!hasThread(store, workspace, thread))
    return { ok: false, code: 'not_found', message: 'there is no such thread in this workspace' }
  if (title !== undefined) store.threads.rename(thread, title)
  if (archived !== undefined) store.threads.archive(thread, archived)
  return { ok: true, pos: 0 }
}

const hasThread = (store: Store, workspace: string, thread: string) =>
  store.threads.get(thread)?.workspace === workspace
