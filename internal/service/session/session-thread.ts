// The thread of a session: made with the first thing that is worth keeping, and never before.
import { createRecorder } from '../../agent/recorder.ts'
import type { SessionRecord } from '../../agent/session.ts'
import { createId, createUlid } from '../../base/ids.ts'
import type { Event } from '../../event/event.ts'
import {
  answerOpenCalls,
  keepOpenCalls,
  type OpenedThread,
  openNewThread,
  openThread,
} from '../../runtime/run/run-thread.ts'
import { findOtherDriver } from '../../runtime/run/thread-claim.ts'
import type { SessionSource } from '../../session/client.ts'
import type { Store } from '../../store/store.ts'

export interface SessionThread {
  readonly id: string
  readonly store: () => Promise<Store>
  /** Whether the store has it. */
  isStored(): boolean
  /** Its conversation, with calls answered that an earlier process has left open. Makes the thread. */
  open(title: string): Promise<OpenedSessionThread>
  /** The conversation is read again when it is next opened. */
  reread(): void
  /** The same; calls that can still run stay open. */
  forget(): void
}

export interface OpenedSessionThread {
  conversation: OpenedThread
  /** For what belongs to no run. */
  record: SessionRecord
  /** A record for one run. */
  recordRun(): SessionRecord
}

interface ThreadParts {
  workspace: string
  dataDir: string
  store: () => Promise<Store>
  /** As the thread is to be listed. */
  agent(): { profile: string; model: string }
  show(event: Event, pos?: number): void
  /** It comes from another process: calls that can still run stay open, and these files were read. */
  carried?: { seen: readonly (readonly [path: string, checksum: string])[] } | undefined
}

/** A copy is made at once; nothing else is written. */
export async function openSessionThread(source: SessionSource, parts: ThreadParts): Promise<SessionThread> {
  const { store, workspace, dataDir, agent } = parts
  const id = source.kind === 'new' ? (source.id ?? createId('sess')) : await copyThread(source, parts)
  let isStored = source.kind !== 'new'
  let first = ''
  let { carried } = parts
  let opened: Promise<OpenedSessionThread> | undefined
  const open = async (): Promise<OpenedSessionThread> => {
    const stored = await store()
    const { profile, model } = agent()
    const recordRun = () => createRecorder(stored, id, `run_${createUlid()}`, parts.show)
    const record = recordRun()
    if (!isStored) {
      stored.threads.create({ id, workspace, title: first, profile, model })
      isStored = true
      await record.append({ type: 'session.changed', payload: { title: first } })
      return { conversation: openNewThread(id), record, recordRun }
    }
    const resume = { thread: id, fork: false }
    const conversation = openThread(stored, workspace, { name: profile }, model, {
      prompt: undefined,
      resume,
    })
    for (const [path, checksum] of carried?.seen ?? []) conversation.seen.set(path, checksum)
    // the calls of another process are answered there
    const isDriven = (await findOtherDriver(dataDir, id)) !== undefined
    if (isDriven) opened = undefined
    if (carried) keepOpenCalls(conversation)
    if (!isDriven) await answerOpenCalls(conversation, record)
    record.flush()
    return { conversation, record, recordRun }
  }
  return {
    id,
    store,
    isStored: () => isStored,
    open(title) {
      first ||= title
      opened ??= open()
      return opened
    },
    reread() {
      opened = undefined
    },
    forget() {
      carried ??= { seen: [] }
      opened = undefined
    },
  }
}

async function copyThread(
  source: Exclude<SessionSource, { kind: 'new' }>,
  { store, workspace, agent }: ThreadParts,
): Promise<string> {
  if (source.kind === 'resume') return source.thread
  const { profile, model } = agent()
  const resume = { thread: source.thread, fork: true, ...(source.at !== undefined && { at: source.at }) }
  return openThread(await store(), workspace, { name: profile }, model, { prompt: undefined, resume }).thread
}
