// List of the conversations in a data directory for the web page, with state, end and cost from
// their stored events.
import { findOtherDriver } from '../../runtime/run/run-thread.ts'
import type { FoundThread } from '../../server/backend.ts'
import { foldSessionEvent } from '../../session/view/fold.ts'
import { listWaits } from '../../session/view/list-waits.ts'
import { emptyView, type SessionView } from '../../session/view/session-view.ts'
import type { Store, Thread } from '../../store/store.ts'
import { isSubagent } from '../threads/thread-list.ts'

/** Tokens, cost, open questions and latest end of a thread. */
type ThreadFacts = Pick<FoundThread, 'end' | 'reason' | 'waits' | 'tokens' | 'usd'> & {
  /** True if the latest run has no recorded end, because it still runs or its process was killed. */
  isOpen: boolean
}

interface ConversationList {
  /**
   * Returns the latest 200 threads, latest first; with `text` the 200 best matches that contain it,
   * best first. Subagents, archived threads and threads without a model are then left out, so the list
   * may be shorter.
   */
  list(query: { workspace?: string | undefined; text?: string | undefined }): Promise<FoundThread[]>
  /** Returns tokens, cost, open questions and end of a thread; undefined for an unknown one. */
  readFacts(thread: string): ThreadFacts | undefined
}

const maxListed = 200
/** Largest number of threads whose computed state stays in memory. */
const maxFolded = 1_000
const factTypes = [
  ...(['system.init', 'usage', 'child.ended', 'run.ended'] as const),
  ...(['permission.asked', 'permission.decided', 'question.asked', 'question.answered'] as const),
]

interface FoldedThread {
  view: SessionView
  /** Number of the thread's events when its state was computed. */
  events: number
}

export function openConversationList(data: string, store: Store): ConversationList {
  const folded = new Map<string, FoldedThread>()
  const subagents = new Map<string, boolean>()
  const isConversation = (thread: Thread) => {
    const isChild = subagents.get(thread.id) ?? isSubagent(store, thread)
    subagents.set(thread.id, isChild)
    return thread.model !== null && !thread.archived && !isChild
  }
  const readFacts = (thread: Thread): ThreadFacts => {
    const before = folded.get(thread.id)
    const view = before?.events === thread.events ? before.view : foldFacts(store, thread.id, before?.view)
    folded.delete(thread.id)
    folded.set(thread.id, { view, events: thread.events })
    const [oldest] = folded.keys()
    if (folded.size > maxFolded && oldest !== undefined) folded.delete(oldest)
    return describeFacts(view)
  }
  const describe = async (thread: Thread, snippet?: string): Promise<FoundThread> => {
    const { isOpen, ...facts } = readFacts(thread)
    const state = await stateOf(data, thread.id, { isOpen, ...facts })
    // No one can answer the questions of a killed run.
    const waits = state === 'waiting' ? facts.waits : []
    const { id, title, profile, model, updated, events, workspace, created } = thread
    const threadFields = {
      thread: id,
      title,
      profile,
      model: model ?? '',
      updated,
      events,
      workspace,
      snippet,
    }
    return { ...threadFields, started: created, ...facts, state, waits }
  }
  return {
    list({ workspace, text }) {
      const query = { workspace, limit: maxListed }
      const hits: { thread: Thread; snippet?: string }[] = text
        ? store.threads.search(text, query)
        : store.threads.list(query).map((thread) => ({ thread }))
      const conversations = hits.filter(({ thread }) => isConversation(thread))
      return Promise.all(conversations.map(({ thread, snippet }) => describe(thread, snippet)))
    },
    readFacts(id) {
      const thread = store.threads.get(id)
      return thread && readFacts(thread)
    },
  }
}

/**
 * Updates the view `before` with the later events of the types in `factTypes`. The result has only the latest
 * block, so that its size is fixed.
 */
function foldFacts({ threads }: Store, thread: string, before = emptyView(thread)): SessionView {
  let view = before
  for (;;) {
    const page = threads.events(thread, view.pos, 500, factTypes)
    for (const event of page) view = foldSessionEvent(view, event)
    view = { ...view, blocks: view.blocks.slice(-1) }
    if (page.length < 500) return view
  }
}

function describeFacts(view: SessionView): ThreadFacts {
  const { spending, run, blocks } = view
  const [last] = blocks
  const endBlock = last?.kind === 'end' && run === undefined ? last : undefined
  return {
    end: endBlock?.end ?? null,
    reason: endBlock?.reason ?? null,
    waits: listWaits(view),
    tokens: spending.input + spending.output,
    usd: spending.usd,
    isOpen: run !== undefined,
  }
}

async function stateOf(data: string, thread: string, facts: ThreadFacts): Promise<FoundThread['state']> {
  if (!facts.isOpen) return facts.end === null ? 'idle' : 'ended'
  if ((await findOtherDriver(data, thread)) === undefined) return 'broken'
  return facts.waits.length > 0 ? 'waiting' : 'running'
}
