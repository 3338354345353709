// A converter of session events to protocol updates, one event after the other, without side effects.
import { createHash } from 'node:crypto'
import type { PlanEntry, SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk/unstable'
import type { EventPayload } from '../event/event.ts'
import type { SessionEvent } from '../session/client.ts'
import { foldSessionEvent } from '../session/view/fold.ts'
import type { SessionView } from '../session/view/session-view.ts'
import {
  contentOfResult,
  fenceOutput,
  kindOfCall,
  locationsOfCall,
  type ShownCall,
  textContent,
  titleOfCall,
} from './call-content.ts'
import type { ShownTerminals } from './shown-terminals.ts'

/**
 * Largest number of characters of a failed call's text that are shown below the call's terminals. Of a longer
 * text, only the end is shown.
 */
const maxReason = 500

/** Optional kinds of updates that the editor supports. */
interface ShownKinds {
  notices: boolean
  compaction: boolean
  /** The editor's terminals. Default: the editor offers no terminals. */
  terminals?: Pick<ShownTerminals, 'contentOf' | 'forget'>
}

interface UpdateFold {
  readonly view: SessionView
  /** Returns the updates for one more event, in order. `isPast` marks a replayed event. */
  take(event: SessionEvent, isPast: boolean): SessionUpdate[]
}

interface FoldState {
  view: SessionView
  readonly cwd: string
  readonly kinds: ShownKinds
  /** Unfinished calls that the editor knows. */
  readonly calls: Map<string, ShownCall>
  /** The shown part of the response that is being written. */
  reply: { id: string; text: string; reasoning: string }
  replies: number
}

export function createUpdateFold(view: SessionView, cwd: string, kinds: ShownKinds): UpdateFold {
  const reply = { id: '', text: '', reasoning: '' }
  const state: FoldState = { view, cwd, kinds, calls: new Map(), reply, replies: 0 }
  return {
    get view() {
      return state.view
    },
    take(event, isPast) {
      const before = state.view
      state.view = foldSessionEvent(before, event)
      return [...updatesOf(state, event, isPast), ...(isPast ? [] : updatesOfView(before, state.view))]
    },
  }
}

function updatesOf(state: FoldState, event: SessionEvent, isPast: boolean): SessionUpdate[] {
  switch (event.type) {
    case 'message.delta':
      return event.status === 'discarded'
        ? discardReply(state, event.payload)
        : addToReply(state, event.payload)
    case 'message':
      return showMessage(state, event, isPast)
    case 'permission.asked':
      return startCall(state, event.payload, 'pending')
    case 'tool.call':
      return startCall(state, event.payload, 'in_progress')
    case 'tool.progress':
      return event.payload.message === undefined
        ? []
        : [progressOf(event.payload.call, event.payload.message)]
    case 'tool.output':
      return isPast ? [] : showOutput(state, event.payload.call)
    case 'tool.result':
      return endCall(state, event.payload)
    case 'session.snapshot':
      return catchUp(state, event.payload)
    case 'model.notice':
    case 'limit':
      return isPast
        ? []
        : toNotice(state, 'text' in event.payload ? event.payload.text : event.payload.message)
    case 'run.ended':
      return isPast || event.payload.message === undefined ? [] : toNotice(state, event.payload.message)
    default:
      return []
  }
}

/** Returns the updates after the replay: the rest of the unfinished response, and the todo list as a plan. */
function catchUp(
  state: FoldState,
  { openReply, todo }: Extract<SessionEvent, { type: 'session.snapshot' }>['payload'],
): SessionUpdate[] {
  const text = openReply?.text ?? ''
  const rest = text.startsWith(state.reply.text) ? text.slice(state.reply.text.length) : text
  return [...addToReply(state, { text: rest }), ...(todo.length > 0 ? [planOf(todo)] : [])]
}

/**
 * Returns the updates that follow from changes of the view: of the todo list, the title and, if the size of
 * the context is known, the tokens in it.
 */
function updatesOfView(before: SessionView, view: SessionView): SessionUpdate[] {
  const updates: SessionUpdate[] = []
  if (view.todo !== before.todo && (view.todo.length > 0 || before.todo.length > 0))
    updates.push(planOf(view.todo))
  if (view.title !== before.title && view.title !== '')
    updates.push({ sessionUpdate: 'session_info_update', title: view.title })
  const { tokens, window } = view.context
  if (view.context.tokens !== before.context.tokens && window !== undefined) {
    const { usd } = view.spending
    const cost = usd === null ? {} : { cost: { amount: usd, currency: 'USD' } }
    updates.push({ sessionUpdate: 'usage_update', used: tokens, size: window, ...cost })
  }
  return updates
}

function planOf(todo: SessionView['todo']): SessionUpdate {
  const entries = todo.map(({ content, status }): PlanEntry => {
    const isKnown = status === 'completed' || status === 'in_progress'
    return { content, priority: 'medium', status: isKnown ? status : 'pending' }
  })
  return { sessionUpdate: 'plan', entries }
}

/** Returns the update with a notice, or with a thought if the editor has no notices. */
function toNotice({ kinds }: FoldState, text: string): SessionUpdate[] {
  if (kinds.notices) return [{ sessionUpdate: 'notice', severity: 'warning', title: text }]
  return [{ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: `${text}\n` } }]
}

function newReply(state: FoldState): void {
  state.replies++
  const hash = createHash('sha256').update(`${state.view.thread}\0${state.view.pos}\0${state.replies}`)
  const digest = hash.digest('hex')
  const id = [digest.slice(0, 8), digest.slice(8, 12), digest.slice(12, 16), digest.slice(16, 20)].join('-')
  state.reply = { id: `${id}-${digest.slice(20, 32)}`, text: '', reasoning: '' }
}

function addToReply(
  state: FoldState,
  { text = '', reasoning = '' }: { text?: string | undefined; reasoning?: string | undefined },
): SessionUpdate[] {
  if (state.reply.id === '') newReply(state)
  const { reply } = state
  const updates: SessionUpdate[] = []
  const chunk = (sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk', words: string) =>
    updates.push({ sessionUpdate, messageId: reply.id, content: { type: 'text', text: words } })
  if (reasoning !== '') chunk('agent_thought_chunk', reasoning)
  if (text !== '') chunk('agent_message_chunk', text)
  reply.text += text
  reply.reasoning += reasoning
  return updates
}

/**
 * Returns the notice that the response was interrupted and is requested again. Shown text cannot be
 * withdrawn, so the notice then says that it is discarded.
 */
function discardReply(state: FoldState, { why }: EventPayload<'message.delta'>): SessionUpdate[] {
  const { text } = state.reply
  newReply(state)
  const reason = why === undefined ? '' : `: ${why}`
  const discardNote = text === '' ? '' : '; the text above is discarded'
  return toNotice(state, `The response was interrupted and is requested again${reason}${discardNote}.`)
}

function showMessage(
  state: FoldState,
  { payload, id }: Extract<SessionEvent, { type: 'message' }>,
  isPast: boolean,
): SessionUpdate[] {
  const { role, text, origin, images = [] } = payload
  if (role === 'assistant') {
    const { reply } = state
    const isContinued = text.startsWith(reply.text)
    if (!isContinued) newReply(state)
    const updates = addToReply(state, { text: isContinued ? text.slice(reply.text.length) : text })
    state.reply = { id: '', text: '', reasoning: '' }
    return updates
  }
  if (role === 'summary' && state.kinds.compaction && !isPast)
    return [{ sessionUpdate: 'compaction_update', compactionId: id, status: 'completed' }]
  // the editor already shows a message that its user sent, so only replayed messages are sent
  if (role !== 'user' || origin !== undefined || !isPast) return []
  const chunk = { sessionUpdate: 'user_message_chunk' } as const
  return [
    ...(text === '' ? [] : [{ ...chunk, content: { type: 'text' as const, text } }]),
    ...images.map(({ mime, base64 }) => ({
      ...chunk,
      content: { type: 'image' as const, mimeType: mime, data: base64 },
    })),
  ]
}

/**
 * Returns the update for the beginning of a call, or for its new state if the editor already knows the call
 * from the request for its approval.
 */
function startCall(
  state: FoldState,
  payload: EventPayload<'tool.call'> | EventPayload<'permission.asked'>,
  status: 'pending' | 'in_progress',
): SessionUpdate[] {
  const { call, tool, args } = payload
  const scope = 'scope' in payload ? payload.scope : undefined
  const shownCall: ShownCall = { tool, args, effect: payload.effect, scope }
  const isKnown = state.calls.has(call)
  state.calls.set(call, shownCall)
  const about = {
    toolCallId: call,
    status,
    kind: kindOfCall(shownCall),
    locations: locationsOfCall(shownCall, state.cwd),
  }
  if (isKnown) return [{ sessionUpdate: 'tool_call_update', ...about }]
  const words = { title: titleOfCall(shownCall), name: tool, rawInput: args ?? {} }
  return [{ sessionUpdate: 'tool_call', ...about, ...words }]
}

const progressOf = (call: string, message: string): SessionUpdate => ({
  sessionUpdate: 'tool_call_update',
  toolCallId: call,
  content: [textContent(message)],
})

/**
 * Returns the update with the latest output of a running command. The result replaces this output later.
 * Returns an empty list for a call with a terminal, for blank output, and for a call that the editor
 * does not know.
 */
function showOutput({ view, calls, kinds }: FoldState, call: string): SessionUpdate[] {
  // a terminal shows its output itself
  if (kinds.terminals?.contentOf(call)) return []
  const printed = view.calls.find((one) => one.call === call)?.message ?? ''
  return printed.trim() === '' || !calls.has(call) ? [] : [progressOf(call, fenceOutput(printed))]
}

function endCall(state: FoldState, result: EventPayload<'tool.result'>): SessionUpdate[] {
  const { call, tool, ok, model_call: modelCall } = result
  const storedCall = state.calls.get(call)
  // a call that was denied at once has no event with its arguments, so they come from the response
  const args = state.view.announced.find(({ id }) => id === modelCall)?.args
  const shownCall = storedCall ?? { tool, args }
  const startUpdates = storedCall ? [] : startCall(state, { call, tool, args: args ?? {} }, 'in_progress')
  state.calls.delete(call)
  const terminals = state.kinds.terminals?.contentOf(call)
  state.kinds.terminals?.forget(call)
  return [
    ...startUpdates,
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: call,
      status: ok ? 'completed' : 'failed',
      content: terminals ? contentBelow(terminals, result) : contentOfResult(result, shownCall, state.cwd),
      rawOutput: result.data,
    },
  ]
}

/**
 * Returns the terminals of a call. If the call failed, but not by the exit code of its command, adds the last
 * 500 characters of its text as the reason, because a terminal shows only the output.
 */
function contentBelow(terminals: ToolCallContent[], result: EventPayload<'tool.result'>): ToolCallContent[] {
  const { ok, code, text } = result
  return ok || code === 'command_failed' ? terminals : [...terminals, textContent(text.slice(-maxReason))]
}
