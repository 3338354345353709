// The thread of a session: made with the first thing that is worth keeping, and never before.
import { createRecorder } from '../../agent/recorder.ts'
import type { SessionRecord } from '../../agent/session.ts'
import { createId, createUlid } from '../../base/ids.ts'
import { once } from '../../base/once.ts'
import type { Event } from '../../event/event.ts'
import type { SessionSource } from '../../session/client.ts'
import type { Store } from '../../store/store.ts'
import { answerOpenCalls, type OpenedThread, openNewThread, openThread } from '../run/run-thread.ts'

export interface SessionThread {
  readonly id: string
  readonly store: () => Promise<Store>
  /** Whether the store has it. */
  isStored(): boolean
  /** Its conversation, with calls answered that an earlier process has left open. Makes the thread. */
  open(title: string): Promise<OpenedSessionThread>
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
  store: () => Promise<Store>
  /** As the thread is to be listed. */
  agent(): { profile: string; model: string }
  show(event: Event, pos?: number): void
}

/** A copy is made at once; nothing else is written. */
export async function openSessionThread(source: SessionSource, parts: ThreadParts): Promise<SessionThread> {
  const { store, workspace, agent } = parts
  const id = source.kind === 'new' ? (source.id ?? createId('sess')) : await copyThread(source, parts)
  let stored = source.kind !== 'new'
  let first = ''
  const opening = once(async (): Promise<OpenedSessionThread> => {
    const opened = await store()
    const { profile, model } = agent()
    const recordRun = () => createRecorder(opened, id, `run_${createUlid()}`, parts.show)
    const record = recordRun()
    if (!stored) {
      opened.threads.create({ id, workspace, title: first, profile, model })
      stored = true
      await record.append({ type: 'session.changed', payload: { title: first } })
      return { conversation: openNewThread(id), record, recordRun }
    }
    const resume = { thread: id, fork: false }
    const conversation = openThread(opened, workspace, { name: profile }, model, {
      prompt: undefined,
      resume,
    })
    await answerOpenCalls(conversation, record)
    record.flush()
    return { conversation, record, recordRun }
  })
  return {
    id,
    store,
    isStored: () => stored,
    open(title) {
      first ||= title
      return opening()
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
