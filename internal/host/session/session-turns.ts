// The runs of a session: each begins with what a person has said; what was queued follows as runs of its own.
import { appendUserMessage } from '../../agent/messages.ts'
import type { SessionRecord } from '../../agent/session.ts'
import { messageOf, UserError } from '../../base/errors.ts'
import type { Event } from '../../event/event.ts'
import { efforts } from '../../model/effort.ts'
import type { ModelMessage } from '../../model/model.ts'
import type { CommandReply } from '../../session/client.ts'
import type { FileMention } from '../../session/commands.ts'
import { threadTitleOf } from '../run/run-thread.ts'
import { runOnThread, type ThreadRunOptions } from '../run/thread-run.ts'
import { lendJobs } from '../session-jobs.ts'
import { type SessionMessage, splitContent } from './message-queue.ts'
import { callAsPerson } from './person-call.ts'
import { findModelObstacle } from './session-agent.ts'
import { awaitModel } from './session-model.ts'
import {
  acceptCommand,
  adaptSessionCtx,
  openStateThread,
  publishEvent,
  reportEvent,
  type SessionState,
} from './session-state.ts'
import type { OpenedSessionThread } from './session-thread.ts'

type Resolve = (reply: CommandReply) => void

/** Begins a run, or queues the message while one goes on. Resolves once it is on record. */
export async function sayMessage(state: SessionState, message: SessionMessage): Promise<CommandReply> {
  const { text, images } = splitContent(message.content)
  const isEmpty = text.trim() === '' && images.length === 0
  if (state.running && !isEmpty) return queueMessage(state, 'queue', message)
  if (isEmpty && state.view.queue.length === 0)
    return { ok: false, code: 'bad_args', message: 'there is nothing to say' }
  const obstacle = await findModelObstacle(state.agent, text)
  if (obstacle && !isEmpty)
    return { ok: false, code: 'no_model', message: obstacle, hint: 'anode login PROVIDER stores a key' }
  // another message may have begun one meanwhile
  if (state.running) return isEmpty ? acceptCommand(state) : queueMessage(state, 'queue', message)
  return new Promise((resolve) => {
    const stop = new AbortController()
    const ended = runTurns(state, isEmpty ? undefined : message, stop, resolve)
    state.running = { stop, ended }
  })
}

/** Resolves once the message is on record. */
export async function queueMessage(
  state: SessionState,
  kind: 'steer' | 'queue',
  message: SessionMessage,
): Promise<CommandReply> {
  if (!state.running) return sayMessage(state, message)
  await openStateThread(state, threadTitleOf(message.content))
  await state.queue.add(kind, message)
  return acceptCommand(state)
}

/** Begins a run for what has ended in the background while nothing went on. */
export function wakeSession(state: SessionState): void {
  if (state.running || state.isClosed || !state.jobs.opened?.hasEnded()) return
  const stop = new AbortController()
  state.running = { stop, ended: runTurns(state, 'jobs', stop, () => undefined) }
}

/** What a run begins with: a person's message, or the end of a job. */
type RunStart = SessionMessage | 'jobs'

/** Never rejects. */
async function runTurns(
  state: SessionState,
  first: RunStart | undefined,
  stop: AbortController,
  resolve: Resolve,
): Promise<void> {
  let next = first
  try {
    for (;;) {
      next ??= await state.queue.takeFirst()
      if (!next) break
      const isDone = await runTurn(state, next, stop.signal, resolve)
      if (!isDone || state.isClosed) break
      next = state.view.queue.length === 0 && state.jobs.opened?.hasEnded() ? 'jobs' : undefined
      if (!next && state.view.queue.length === 0) break
    }
    resolve(acceptCommand(state))
  } catch (error) {
    const hint = error instanceof UserError ? error.hint : undefined
    const code = error instanceof UserError ? 'refused' : 'internal'
    resolve({ ok: false, code, message: messageOf(error), ...(hint !== undefined && { hint }) })
    await tellError(state, error)
  } finally {
    state.running = undefined
    for (const call of state.stops.keys()) if (!isGoingOn(state, call)) state.stops.delete(call)
  }
}

const isGoingOn = ({ view }: SessionState, call: string) => view.calls.some((one) => one.call === call)

/** Whether the run ended with what it was begun for. */
async function runTurn(
  state: SessionState,
  first: RunStart,
  signal: AbortSignal,
  resolve: Resolve,
): Promise<boolean> {
  const message = first === 'jobs' ? undefined : first
  const thread = await openStateThread(state, threadTitleOf(message?.content))
  const [runtime] = await Promise.all([state.runtime(), awaitModel(state)])
  const { start } = state
  for (const text of start ? runtime.notes : [])
    await thread.record.append({ type: 'model.notice', payload: { code: 'note', text } })
  state.start = undefined
  await readMentions(state, thread, message?.files ?? [], signal)
  if (message?.skill) await readSkill(state, thread, message.skill, signal)
  await giveNotes(state, thread)
  const record = watchRecord(thread.recordRun(), state, resolve)
  const { end } = await runOnThread({
    ...turnOptions(state, thread, record, signal),
    runtime,
    prompt: message?.content,
    ...(start && { start }),
  })
  await tellPlanning(state)
  if (end.end === 'failed' && end.reason === 'denied')
    resolve({ ok: false, code: 'denied', message: end.message })
  return end.end === 'done'
}

/** Everything of a run but its runtime and what it begins with. */
export function turnOptions(
  state: SessionState,
  thread: OpenedSessionThread,
  record: SessionRecord,
  signal: AbortSignal,
): Omit<ThreadRunOptions, 'runtime'> {
  const { agent, answers, tools, effort } = state
  const profile = effort === undefined ? agent.profile : { ...agent.profile, effort: efforts.indexOf(effort) }
  return {
    ...{ profile, model: agent.model, opened: thread.conversation, record, signal, caps: {} },
    ...state.limits,
    prompt: undefined,
    ...(tools && { tools }),
    ask: answers.ask,
    planning: state.planning,
    // the session ends them
    jobs: lendJobs(state.jobs),
    interruption: (stop) => state.queue.nextSteering(stop),
    adaptCtx: (ctx) => adaptSessionCtx(state, ctx),
    note: (text) => void record.append({ type: 'model.notice', payload: { code: 'note', text } }),
    // a person's words are no part of a run that they have stopped
    inbox: async () => (signal.aborted ? [] : takeSteering(state, thread, signal)),
  }
}

/** What was said for this run since the model was last asked. */
async function takeSteering(
  state: SessionState,
  thread: OpenedSessionThread,
  signal: AbortSignal,
): Promise<ModelMessage[]> {
  const messages: ModelMessage[] = []
  for (const { content, files } of await state.queue.takeAll('steer')) {
    await readMentions(state, thread, files, signal)
    messages.push(...takeNotes(state), { role: 'user', content })
  }
  return [...messages, ...takeNotes(state)]
}

const takeNotes = (state: SessionState): ModelMessage[] =>
  state.notes.splice(0).map((content) => ({ role: 'user', content, origin: 'note' }))

/** Between two runs. */
export async function giveNotes(state: SessionState, thread: OpenedSessionThread): Promise<void> {
  for (const note of takeNotes(state))
    for (const draft of appendUserMessage(thread.conversation.messages, note))
      await thread.record.append(draft)
  thread.record.flush()
}

/** Most of one file that goes with a message; the model can read the rest. */
const maxMentionBytes = 65_536

async function readMentions(
  state: SessionState,
  thread: OpenedSessionThread,
  files: readonly FileMention[],
  signal: AbortSignal,
): Promise<void> {
  for (const { path, startLine, endLine } of files) {
    const lines = { ...(startLine && { start_line: startLine }), ...(endLine && { end_line: endLine }) }
    const { text } = await callAsPerson({
      runtime: await state.runtime(),
      profile: state.agent.profile,
      thread,
      signal,
      adaptCtx: (ctx) => adaptSessionCtx(state, ctx),
      request: { name: 'read', args: { path, max_bytes: maxMentionBytes, ...lines } },
    })
    state.notes.push(`[file ${path}]\n${text}`)
  }
}

/** A call of the person's own, so that the record shows what the model was given. */
async function readSkill(
  state: SessionState,
  thread: OpenedSessionThread,
  args: { name: string; input: string },
  signal: AbortSignal,
): Promise<void> {
  const { text } = await callAsPerson({
    ...{ runtime: await state.runtime(), profile: state.agent.profile, thread, signal },
    adaptCtx: (ctx) => adaptSessionCtx(state, ctx),
    request: { name: 'skill', args },
  })
  state.notes.push(`[the person asks for this skill]\n${text}`)
}

/** The same record; the person's words are on it once the command is answered. */
function watchRecord(record: SessionRecord, state: SessionState, resolve: Resolve): SessionRecord {
  return {
    ...record,
    async append(draft) {
      await record.append(draft)
      if (draft.type === 'system.init' && state.planning.active() !== undefined)
        await record.append({ type: 'session.changed', payload: { mode: 'plan' } })
      if (draft.type !== 'message' || draft.payload.role !== 'user' || draft.payload.origin) return
      record.flush()
      resolve(acceptCommand(state))
    },
  }
}

/** The model may begin and end planning as well. */
async function tellPlanning(state: SessionState): Promise<void> {
  const mode = state.planning.active() === undefined ? state.agent.mode : 'plan'
  if (mode !== state.view.mode) await reportEvent(state, { type: 'session.changed', payload: { mode } })
}

/** Where even this cannot be recorded it is at least seen. */
async function tellError(state: SessionState, error: unknown): Promise<void> {
  const draft = { type: 'model.notice', payload: { code: 'error', text: messageOf(error) } } as const
  await reportEvent(state, draft).catch(() => {
    const event: Event = { ...draft, id: '', run_id: '', seq: 0, ts: Date.now() }
    publishEvent(state, event)
  })
}
