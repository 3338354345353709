// The thread of a run: new, resumed or forked, and the conversation that its events make.

import { interruptedText, openCalls, replayEvent } from '../../agent/replay.ts'
import type { SessionRecord } from '../../agent/session.ts'
import { defined } from '../../base/defined.ts'
import type { EventPayload } from '../../event/event.ts'
import type { MessageContent, ModelMessage } from '../../model/model.ts'
import type { Profile } from '../../profile/profile.ts'
import type { Store } from '../../store/store.ts'
import { callEventFields, createCallNumbering, modelCallOf, parseCallNumber } from '../../tool/call-ids.ts'
import type { LoadedTools } from '../extensions/tool-loading.ts'
import type { RunOptions } from './run-options.ts'

export interface OpenedThread {
  thread: string
  messages: ModelMessage[]
  /** Own ids of the calls of the last reply that were begun, by the reply's ids. */
  begun: Map<string, string>
  /** Numbers the calls to come. */
  nextCall: () => string
  /** Checksums of files as last read, by real path. */
  seen: Map<string, string>
  loadedTools: LoadedTools
}

/** A thread in which nothing has happened yet. */
export function openNewThread(thread: string): OpenedThread {
  return {
    thread,
    messages: [],
    begun: new Map(),
    nextCall: createCallNumbering('call_'),
    seen: new Map(),
    loadedTools: { found: [], offered: [] },
  }
}

/** Throws UserError for a thread that is not there. */
export function openThread(
  store: Store,
  workspace: string,
  profile: Pick<Profile, 'name'>,
  model: string,
  options: Pick<RunOptions, 'prompt' | 'resume' | 'parent'>,
): OpenedThread {
  const messages: ModelMessage[] = []
  const answered = new Set<string>()
  const begun = new Map<string, string>()
  const found: string[] = []
  const title = threadTitleOf(options.prompt)
  if (!options.resume) {
    const parent = defined({ parent: options.parent })
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
  let taken = 0
  for (let after = 0; ; ) {
    const page = store.threads.events(from, after, 200)
    const wanted = at === undefined ? page : page.filter((event) => event.pos <= at)
    for (const event of wanted) {
      replayEvent(messages, event, answered)
      if (event.type === 'message' && event.payload.role === 'assistant') begun.clear()
      // a question of a child is about another conversation
      const isOwn = event.type === 'permission.asked' && event.payload.thread === undefined
      if (event.type === 'tool.call' || isOwn) begun.set(modelCallOf(event.payload), event.payload.call)
      if (event.type === 'tool.result') found.push(...readLoadedTools(event.payload))
      if (event.type === 'tool.call' || event.type === 'tool.result')
        taken = Math.max(taken, parseCallNumber(event.payload.call))
    }
    if (fork && wanted.length > 0)
      store.threads.append(
        thread,
        wanted[0]?.run_id ?? '',
        wanted.map(({ id: _, ...event }) => event),
      )
    const last = page.at(-1)
    if (!last || page.length < 200 || (at !== undefined && last.pos >= at))
      return {
        ...{ thread, messages, begun, seen: new Map(), loadedTools: { found, offered: [] } },
        nextCall: createCallNumbering('call_', taken),
      }
    after = last.pos
  }
}

/** What a search of servers' tools has loaded, which stays so. */
function readLoadedTools({ tool, ok, data }: EventPayload<'tool.result'>): string[] {
  if (tool !== 'tool_search' || !ok) return []
  const { loaded } = (data ?? {}) as { loaded?: unknown }
  return Array.isArray(loaded) ? loaded.filter((name) => typeof name === 'string') : []
}

/** Profile and model that a thread was last used with. */
export function findLastUse(
  store: Store,
  id: string,
): { profile?: string; model?: string; toolset?: string } {
  const init = store.threads.tail(id, 1, ['system.init']).at(-1)
  const thread = store.threads.get(id)
  const lastInit = init?.type === 'system.init' ? init.payload : undefined
  const [profile, model] = [lastInit?.profile || thread?.profile, lastInit?.model || thread?.model]
  const toolset = lastInit?.toolset
  return { ...(profile && { profile }), ...(model && { model }), ...(toolset && { toolset }) }
}

/** A call that was open when its process died is answered, never run again. */
export async function answerOpenCalls(opened: OpenedThread, record: SessionRecord): Promise<void> {
  const { messages, begun, nextCall } = opened
  const lastReply = messages.findLastIndex(({ role }) => role === 'assistant')
  const results = messages.slice(lastReply + 1).flatMap((one) => (one.role === 'tool' ? [one.callId] : []))
  const answered = new Set(results)
  for (const call of openCalls(messages, answered)) {
    messages.push({ role: 'tool', callId: call.id, name: call.name, content: interruptedText, failed: true })
    await record.append({
      type: 'tool.result',
      payload: {
        ...callEventFields({ call: begun.get(call.id) ?? nextCall(), modelCall: call.id }, call.name),
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
