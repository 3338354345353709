// The thread of a session, created with the first event to store.
import { createRecorder, unstoredTypes } from '../../agent/recorder.ts'
import type { SessionRecord } from '../../agent/session.ts'
import { createId, createUlid } from '../../base/ids.ts'
import { once } from '../../base/once.ts'
import type { EventDraft } from '../../event/event.ts'
import {
  answerOpenCalls,
  findOtherDriver,
  keepOpenCalls,
  type OpenedThread,
  openNewThread,
  openThread,
} from '../../runtime/run/run-thread.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { WorkspaceContext } from '../../runtime/workspace/workspace.ts'
import type { CommandReply, SessionSource } from '../../session/client.ts'
import type { Store } from '../../store/store.ts'
import type { AgentSettings } from './agent-settings.ts'
import { isHandedOver } from './handover/departure.ts'
import type { SessionAgent } from './session-agent.ts'
import type { SessionFeedView } from './session-feed-view.ts'

type OpenStore = () => Promise<Store>

export interface OpenedSessionThread {
  conversation: OpenedThread
  /** The record for events outside of runs. */
  record: SessionRecord
  /** Creates a record for one run. */
  recordRun(): SessionRecord
  /**
   * Stores the thread with the events so far. Undefined if the thread was already stored when it was opened.
   */
  create?: () => Promise<void>
}

interface ThreadStart {
  id: string
  isStored: boolean
  /**
   * State from an earlier process of the session. If set, calls without a result that can safely run stay
   * open, so that the next run executes them. `seen` lists the files that the model has read.
   */
  carried: { seen: readonly (readonly [path: string, checksum: string])[] } | undefined
}

export class SessionThread {
  readonly id: string
  readonly store: OpenStore
  /** The signal of the active run. Reports of a run after its handoff are dropped. */
  runSignal: AbortSignal | undefined
  /** Sends recorded events to the user's tracing, after a runtime is open. */
  trace: Runtime['resources']['trace']
  readonly #context: WorkspaceContext
  readonly #settings: AgentSettings
  readonly #feed: SessionFeedView
  #isStored: boolean
  #carried: ThreadStart['carried']
  #title = ''
  #opened: Promise<OpenedSessionThread> | undefined

  constructor(
    context: WorkspaceContext,
    store: OpenStore,
    settings: AgentSettings,
    feed: SessionFeedView,
    start: ThreadStart,
  ) {
    this.#context = context
    this.store = store
    this.#settings = settings
    this.#feed = feed
    this.id = start.id
    this.#isStored = start.isStored
    this.#carried = start.carried
  }

  /** Whether the thread is in the store. */
  get isStored(): boolean {
    return this.#isStored
  }

  /**
   * Opens the conversation and creates the thread if necessary. Calls that an earlier process left open get
   * the result `interrupted`, unless another process works on the thread or the next run can safely execute
   * them. With `create: 'with run'` the thread is created only when a run begins, so a run that cannot begin
   * leaves no thread.
   */
  async open(title: string, create: 'now' | 'with run' = 'now'): Promise<OpenedSessionThread> {
    this.#title ||= this.#feed.view.title || title
    this.#opened ??= this.#open()
    const opened = await this.#opened
    if (create === 'now') await opened.create?.()
    return opened
  }

  /** Discards the conversation, so that it is read again when it is next opened. */
  reread(): void {
    this.#opened = undefined
  }

  /** Discards the conversation like `reread`, but calls that the next run can safely execute stay open. */
  forget(): void {
    this.#carried ??= { seen: [] }
    this.#opened = undefined
  }

  /**
   * Records an event outside of runs. Before the thread exists, the event is only shown. Does nothing after
   * the run was handed off.
   */
  async report(draft: EventDraft): Promise<void> {
    if (this.runSignal && isHandedOver(this.runSignal)) return
    if (this.#isStored) return (await this.open('')).record.append(draft)
    this.#feed.show(draft)
  }

  /**
   * Returns an error reply if another process works on the thread now. Otherwise shows stored events of other
   * processes here, makes them part of the conversation, and returns undefined.
   */
  async meetOtherDriver(): Promise<CommandReply | undefined> {
    if (!this.#isStored) return undefined
    const obstacle = await findOtherDriver(this.#context.data, this.id)
    if (obstacle) {
      const { message, hint } = obstacle
      return { ok: false, code: 'refused', message, hint }
    }
    const { threads } = await this.store()
    for (;;) {
      const page = threads.events(this.id, this.#feed.view.pos, 500)
      if (page.length === 0) return undefined
      this.reread()
      for (const { pos, ...event } of page) this.#feed.publish(event, pos)
    }
  }

  #recordRun(store: Store): SessionRecord {
    return createRecorder(store, this.id, `run_${createUlid()}`, (event, pos) => {
      this.#feed.publish(event, pos)
      this.trace?.(this.id, event)
    })
  }

  async #open(): Promise<OpenedSessionThread> {
    const store = await this.store()
    const { id } = this
    const { workspace } = this.#context
    const { profile, model } = nameAgent(this.#settings.agent)
    const recordRun = () => this.#recordRun(store)
    const record = recordRun()
    if (!this.#isStored) {
      const title = this.#title
      const early: (() => Promise<void>)[] = []
      const create = once(async () => {
        store.threads.create({ id, workspace, title, profile, model })
        this.#isStored = true
        await record.append({ type: 'session.changed', payload: { title } })
        for (const add of early) await add()
      })
      const hold = (runRecord: SessionRecord) =>
        holdEarly(runRecord, early, { create, isStored: () => this.#isStored })
      return {
        conversation: openNewThread(id),
        record: hold(record),
        recordRun: () => hold(recordRun()),
        create,
      }
    }
    const resume = { thread: id, fork: false }
    const conversation = openThread(store, workspace, { name: profile }, model, { prompt: undefined, resume })
    for (const [path, checksum] of this.#carried?.seen ?? []) conversation.seen.set(path, checksum)
    // if another process drives the thread, open calls are answered there
    const isDriven = (await findOtherDriver(this.#context.data, id)) !== undefined
    if (isDriven) this.#opened = undefined
    if (this.#carried) keepOpenCalls(conversation)
    if (!isDriven) await answerOpenCalls(conversation, record)
    record.flush()
    return { conversation, record, recordRun }
  }
}

/**
 * Returns a record that keeps events in `early` until the thread exists, except types that are never stored.
 * A run that begins creates the thread.
 */
function holdEarly(
  record: SessionRecord,
  early: (() => Promise<void>)[],
  { create, isStored }: { create: () => Promise<void>; isStored: () => boolean },
): SessionRecord {
  return {
    ...record,
    append: async (draft) => {
      if (draft.type === 'system.init') await create()
      if (isStored() || unstoredTypes.has(draft.type)) return record.append(draft)
      early.push(() => record.append(draft))
    },
  }
}

/** Returns the ID of the session's thread. A copy is created immediately; otherwise nothing is written. */
export async function chooseSessionThread(
  source: SessionSource,
  workspace: string,
  store: OpenStore,
  agent: SessionAgent,
): Promise<string> {
  if (source.kind === 'new') return source.id ?? createId('sess')
  if (source.kind === 'resume') return source.thread
  const { profile, model } = nameAgent(agent)
  const resume = { thread: source.thread, fork: true, at: source.at }
  return openThread(await store(), workspace, { name: profile }, model, { prompt: undefined, resume }).thread
}

const nameAgent = ({ profile, model }: SessionAgent) => ({ profile: profile.name, model: model.id })
