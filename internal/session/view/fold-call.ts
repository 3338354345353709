// Updates of a session's view for events about calls, from the question for approval to the result.
import type { EventPayload } from '../../event/event.ts'
import type { RunningJob } from '../snapshot.ts'
import {
  addBlock,
  type CallBlock,
  type EventOf,
  findCallBlock,
  replaceCallBlock,
  type SessionView,
} from './session-view.ts'

type CallEvent = EventOf<
  | 'tool.call'
  | 'tool.result'
  | 'tool.progress'
  | 'tool.output'
  | 'permission.asked'
  | 'permission.preview'
  | 'permission.decided'
  | 'question.asked'
  | 'question.answered'
>

export function foldCallEvent(view: SessionView, event: CallEvent): SessionView {
  switch (event.type) {
    case 'permission.asked':
      return foldAsked(view, event)
    case 'permission.preview': {
      const { call, ...preview } = event.payload
      const waits = view.waits.map((one) => (one.call === call ? { ...one, preview } : one))
      return { ...view, waits }
    }
    case 'permission.decided': {
      const { call: id } = event.payload
      const next = { ...view, waits: view.waits.filter(({ call }) => call !== id) }
      return view.calls.some(({ call }) => call === id) ? markCall(next, id, 'running') : next
    }
    case 'question.asked': {
      const { call, ...questionnaire } = event.payload
      const questions = [...view.questions, { call, questionnaire }]
      return markCall({ ...view, questions }, call, 'waits')
    }
    case 'question.answered': {
      const questions = view.questions.filter(({ call }) => call !== event.payload.call)
      return markCall({ ...view, questions }, event.payload.call, 'running')
    }
    case 'tool.call':
      return foldStart(view, event)
    case 'tool.progress': {
      const { call, message } = event.payload
      return message === undefined ? view : foldProgress(view, call, () => message)
    }
    case 'tool.output': {
      const { call, text } = event.payload
      if (view.jobs.some(({ job }) => job === call)) return foldJobOutput(view, call, text)
      return foldProgress(view, call, (before) => (before + text).slice(-maxProgress))
    }
    case 'tool.result':
      return foldResult(view, event)
  }
}

/**
 * Returns the view with the new state of a call. A call that has ended, or is not in this conversation
 * because it belongs to a subagent, changes nothing.
 */
function markCall(view: SessionView, call: string, state: 'waits' | 'running'): SessionView {
  const block = findCallBlock(view, call)
  return block && block.state !== 'ended' ? replaceCallBlock(view, { ...block, state }) : view
}

/**
 * Largest number of characters of a running command's output that the view stores. Of more output, the
 * end is stored.
 */
const maxProgress = 4_000

function foldProgress(view: SessionView, call: string, change: (before: string) => string): SessionView {
  const running = view.calls.find((one) => one.call === call)
  if (!running) return view
  const message = change(running.message ?? '')
  const next = { ...view, calls: view.calls.map((one) => (one === running ? { ...one, message } : one)) }
  const block = findCallBlock(next, call)
  return block ? replaceCallBlock(next, { ...block, progress: message }) : next
}

function foldJobOutput(view: SessionView, job: string, text: string): SessionView {
  const added = (one: RunningJob) => ({ ...one, output: ((one.output ?? '') + text).slice(-maxProgress) })
  return { ...view, jobs: view.jobs.map((one) => (one.job === job ? added(one) : one)) }
}

/**
 * Adds a call that needs approval. A call of a subagent is added only to `waits`, because it belongs
 * to another conversation.
 */
function foldAsked(view: SessionView, event: EventOf<'permission.asked'>): SessionView {
  const { payload } = event
  const next = { ...view, waits: [...view.waits, payload] }
  if (payload.thread !== undefined) return next
  const { call: id, tool, args } = payload
  // A call that already runs may need a second approval, so its block already exists.
  if (view.calls.some(({ call }) => call === id)) return markCall(next, id, 'waits')
  return addBlock(next, event, { kind: 'call', id, tool, args, since: event.ts, state: 'waits' })
}

function foldStart(view: SessionView, event: EventOf<'tool.call'>): SessionView {
  const { call, tool, args, by } = event.payload
  const caller = by && { byPerson: true }
  const next = { ...view, calls: [...view.calls, { call, tool, args, since: event.ts, ...caller }] }
  const block = findCallBlock(next, call)
  if (block) return replaceCallBlock(next, { ...block, state: 'running', since: event.ts })
  return addBlock(next, event, {
    kind: 'call',
    id: call,
    tool,
    args,
    since: event.ts,
    state: 'running',
    ...caller,
  })
}

function foldResult(view: SessionView, event: EventOf<'tool.result'>): SessionView {
  const { payload } = event
  const { call, tool, by } = payload
  const calls = view.calls.filter((one) => one.call !== call)
  const jobs = [...view.jobs, ...startedJob(payload, event.ts)]
  const next = { ...view, calls, jobs, todo: todoOf(payload) ?? view.todo }
  const endFields = { state: 'ended', result: payload } as const
  const block = findCallBlock(next, call)
  if (block) return replaceCallBlock(next, { ...withoutProgress(block), ...endFields })
  // No event contains the arguments of a call that was denied at once, so they are taken from the response.
  const args = view.announced.find(({ id }) => id === payload.model_call)?.args
  const caller = by && { byPerson: true }
  return addBlock(next, event, {
    kind: 'call',
    id: call,
    tool,
    args,
    since: event.ts,
    ...endFields,
    ...caller,
  })
}

/** Returns the block without its progress, which is shown only while the call runs. */
function withoutProgress({ progress: _, ...block }: CallBlock): CallBlock {
  return block
}

/**
 * Returns the background command (job) that a result reports as started, as a list of one; otherwise
 * an empty list.
 */
function startedJob({ ok, data }: EventPayload<'tool.result'>, since: number): RunningJob[] {
  if (!ok || typeof data !== 'object' || data === null) return []
  const { id, command, running } = data as Readonly<Record<string, unknown>>
  const isJob =
    typeof id === 'string' && /^job_\d+$/.test(id) && typeof command === 'string' && running === true
  return isJob ? [{ job: id, command, since }] : []
}

/**
 * Returns the todo list that a result contains, whichever tool gave the result; undefined if
 * it contains none.
 */
function todoOf({ ok, data }: EventPayload<'tool.result'>): SessionView['todo'] | undefined {
  const todos = ok && typeof data === 'object' && data !== null && 'todos' in data ? data.todos : undefined
  if (!Array.isArray(todos)) return undefined
  return todos.map(({ content, status }) => ({ content: String(content), status: String(status) }))
}
