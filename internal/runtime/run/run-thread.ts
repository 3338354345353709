// The thread of a run: its start, resume or fork, and the claim that keeps other processes from
// writing to it.

import { readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { interruptedText, openCalls, replayEvent } from '../../agent/replay.ts'
import type { SessionRecord } from '../../agent/session.ts'
import { codeOf, UserError } from '../../base/errors.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { breakLock } from '../../base/files/path-locks.ts'
import { processIdentity } from '../../base/process-identity.ts'
import { namesFileModel } from '../../base/text/file-model.ts'
import type { EventDraft } from '../../event/event.ts'
import type { MessageContent, ModelMessage, ModelToolCall } from '../../model/model.ts'
import type { Profile } from '../../profile/profile.ts'
import type { Store } from '../../store/store.ts'
import { callEventFields, createCallNumbering, modelCallOf, parseCallNumber } from '../../tool/call-ids.ts'
import type { LoadedTools } from '../tools/tool-loading.ts'
import type { RunOptions } from './run-options.ts'

export interface OpenedThread {
  thread: string
  messages: ModelMessage[]
  /**
   * Calls of the last response that have started or await approval: ids in the record, by ids of the model.
   */
  begun: Map<string, string>
  /** Those of `begun` that may have changed something, by the ids of the model. */
  effective: Set<string>
  /**
   * Calls of the last response that a resumed run repeats before it asks the model. All other calls without a
   * result get the result "interrupted".
   */
  openReply?: readonly ModelToolCall[]
  /** Returns the id of the next call. */
  nextCall: () => string
  /**
   * Checksums of files when an agent last read them, by real path. An edit of a file that changed
   * since is refused.
   */
  seen: Map<string, string>
  loadedTools: LoadedTools
}

/** Returns the data of a thread without events, such as a new one. */
export function openNewThread(thread: string): OpenedThread {
  return {
    thread,
    messages: [],
    begun: new Map(),
    effective: new Set(),
    nextCall: createCallNumbering('call_'),
    seen: new Map(),
    loadedTools: { offered: [] },
  }
}

/**
 * Opens a new, resumed or forked thread with the conversation that its events form. Does not check that a
 * resumed thread exists: an unknown one has no events.
 */
export function openThread(
  store: Store,
  workspace: string,
  profile: Pick<Profile, 'name'>,
  model: string,
  options: Pick<RunOptions, 'prompt' | 'resume' | 'parent'>,
): OpenedThread {
  const messages: ModelMessage[] = []
  const answered = new Set<string>()
  const begunCalls = new Map<string, string>()
  const effective = new Set<string>()
  const title = threadTitleOf(options.prompt)
  if (!options.resume) {
    const parent = { parent: options.parent }
    return openNewThread(store.threads.reserve({ workspace, title, profile: profile.name, model, ...parent }))
  }
  const { thread: from, fork, at } = options.resume
  const thread = fork
    ? store.threads.create({
        workspace,
        title: `fork of ${from}`,
        profile: profile.name,
        model,
        parent: from,
      }).id
    : from
  let lastCallNumber = 0
  for (let after = 0; ; ) {
    const page = store.threads.events(from, after, 200)
    const events = at === undefined ? page : page.filter((event) => event.pos <= at)
    for (const event of events) {
      replayEvent(messages, event, answered)
      lastCallNumber = Math.max(lastCallNumber, noteCall(event, { begun: begunCalls, effective }))
    }
    if (fork && events.length > 0)
      store.threads.append(
        thread,
        events[0]?.run_id ?? '',
        events.map(({ id: _, ...event }) => event),
      )
    const last = page.at(-1)
    if (!last || page.length < 200 || (at !== undefined && last.pos >= at))
      return {
        thread,
        messages,
        begun: begunCalls,
        effective,
        seen: new Map(),
        loadedTools: { offered: [] },
        nextCall: createCallNumbering('call_', lastCallNumber),
      }
    after = last.pos
  }
}

/** Updates `begunCalls` and `effective` from one event. Returns the number of the event's call, or 0. */
function noteCall(
  event: EventDraft,
  { begun: begunCalls, effective }: Pick<OpenedThread, 'begun' | 'effective'>,
): number {
  switch (event.type) {
    case 'message':
      if (event.payload.role !== 'assistant') return 0
      begunCalls.clear()
      effective.clear()
      return 0
    case 'permission.asked':
      // A question that a subagent asks belongs to the subagent's conversation.
      if (event.payload.thread !== undefined) return 0
      begunCalls.set(modelCallOf(event.payload), event.payload.call)
      return parseCallNumber(event.payload.call)
    case 'tool.call':
      begunCalls.set(modelCallOf(event.payload), event.payload.call)
      if (!repeatableEffects.has(event.payload.effect ?? '')) effective.add(modelCallOf(event.payload))
      return parseCallNumber(event.payload.call)
    case 'tool.result':
      return parseCallNumber(event.payload.call)
    default:
      return 0
  }
}

/** Effects of calls that can safely run again after an interruption. */
const repeatableEffects: ReadonlySet<string> = new Set(['read', 'interact'])

/**
 * Returns the last profile, model and toolset of a thread. A model whose name contains a file path is skipped
 * if the thread belongs to another workspace.
 */
export function findLastUse(
  store: Store,
  id: string,
  workspace: string,
): { profile?: string; model?: string; toolset?: string } {
  const init = store.threads.tail(id, 1, ['system.init']).at(-1)
  const thread = store.threads.get(id)
  const lastInit = init?.type === 'system.init' ? init.payload : undefined
  const isElsewhere = thread?.workspace !== workspace
  const profile = lastInit?.profile || thread?.profile
  const last = lastInit?.model || thread?.model
  const model = last && isElsewhere && namesFileModel(last) ? undefined : last
  const toolset = lastInit?.toolset
  return { profile: profile || undefined, model: model || undefined, toolset: toolset || undefined }
}

/**
 * Keeps the calls that an interrupted run left without a result and that can safely run. The next
 * run executes them.
 */
export function keepOpenCalls(opened: OpenedThread): void {
  const open = listOpenCalls(opened).filter(({ id }) => !opened.effective.has(id))
  if (open.length > 0) opened.openReply = open
}

function listOpenCalls({ messages }: OpenedThread): ModelToolCall[] {
  const lastReply = messages.findLastIndex(({ role }) => role === 'assistant')
  if (lastReply < 0) return []
  const results = messages.slice(lastReply + 1).flatMap((one) => (one.role === 'tool' ? [one.callId] : []))
  return openCalls(messages, new Set(results))
}

/**
 * Gives calls without a result, whose process has died, the result "interrupted". Calls that `keepOpenCalls`
 * kept get no result yet.
 */
export async function answerOpenCalls(opened: OpenedThread, record: SessionRecord): Promise<void> {
  const { messages, begun: begunCalls, nextCall, openReply = [] } = opened
  for (const call of listOpenCalls(opened)) {
    if (openReply.some(({ id }) => id === call.id)) continue
    messages.push({ role: 'tool', callId: call.id, name: call.name, content: interruptedText, failed: true })
    await record.append({
      type: 'tool.result',
      payload: {
        ...callEventFields({ call: begunCalls.get(call.id) ?? nextCall(), modelCall: call.id }, call.name),
        ok: false,
        code: 'interrupted',
        text: interruptedText,
      },
    })
  }
}

export function threadTitleOf(prompt: MessageContent | undefined): string {
  const text =
    typeof prompt === 'string'
      ? prompt
      : (prompt?.map((part) => (part.type === 'text' ? part.text : '')).join(' ') ?? '')
  const line = text.trim().split('\n', 1)[0] ?? ''
  return line.length > 80 ? `${line.slice(0, 79)}…` : line || 'untitled'
}

/**
 * Locks the thread for this process with a symbolic link that names the process. Resolves to a synchronous
 * function that removes the lock, because a client may start the next run as soon as it sees the end event. A
 * lock of a dead or unknown process is ignored, so a killed run can resume. If the link cannot be created,
 * the run continues without a lock. Throws UserError while another run uses the thread.
 */
export async function claimThread(data: string, thread: string): Promise<() => void> {
  const folder = join(data, 'runs')
  const path = join(folder, `${thread}.claim`)
  for (;;) {
    const obstacle = obstacleTo(() => symlinkSync(processIdentity(), path))
    if (obstacle === undefined) return () => void obstacleTo(() => rmSync(path, { force: true }))
    const isMade = obstacle === 'ENOENT' && !obstacleTo(() => makeDirectory(folder, 0o700))
    if (isMade) continue
    if (obstacle !== 'EEXIST') return () => undefined
    if (!(await breakLock(path, Number.POSITIVE_INFINITY))) throw createBusyError(path, thread)
  }
}

/**
 * Returns the error for a thread that another process is running; undefined if the thread is free or this
 * process runs it.
 */
export async function findOtherDriver(data: string, thread: string): Promise<UserError | undefined> {
  const path = join(data, 'runs', `${thread}.claim`)
  let claim: string | undefined
  obstacleTo(() => {
    claim = readlinkSync(path)
  })
  if (claim === undefined || claim === processIdentity()) return undefined
  return (await breakLock(path, Number.POSITIVE_INFINITY)) ? undefined : createBusyError(path, thread)
}

/** Runs `act`. Returns the error code of the system, or undefined on success. */
function obstacleTo(act: () => void): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    return codeOf(error) ?? 'unknown'
  }
}

function createBusyError(path: string, thread: string): UserError {
  let pid = 'another'
  obstacleTo(() => {
    pid = readlinkSync(path).split('-')[0] ?? pid
  })
  const who = pid === `${process.pid}` ? 'another run of this process' : `a run of process ${pid}`
  return new UserError(`${who} is at work on this thread`, {
    hint: `wait until it ends, or continue in a copy: anode --fork ${thread}`,
  })
}
