// The runs of a session: each begins with what a person has said; what was queued follows as runs of its own.
import { appendUserMessage } from '../../agent/messages.ts'
import type { SessionRecord } from '../../agent/session.ts'
import { messageOf, UserError } from '../../base/errors.ts'
import { createUlid } from '../../base/ids.ts'
import { unlessAborted } from '../../base/time-limit.ts'
import type { EventDraft } from '../../event/event.ts'
import { efforts } from '../../model/effort.ts'
import type { ModelMessage } from '../../model/model.ts'
import { lendJobs } from '../../runtime/agent/session-jobs.ts'
import { threadTitleOf } from '../../runtime/run/run-thread.ts'
import { runOnThread, type ThreadRunOptions } from '../../runtime/run/thread-run.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { CommandReply } from '../../session/client.ts'
import { leftLimits } from './handover/carried-session.ts'
import { handedOver, isHandedOver, recordUntilHandedOver } from './handover/departure.ts'
import { type SessionMessage, splitContent } from './message-queue.ts'
import { findModelObstacle } from './session-agent.ts'
import { awaitModel } from './session-model.ts'
import {
  acceptCommand,
  adaptSessionCtx,
  isEnding,
  openStateThread,
  publishEvent,
  reportEvent,
  type SessionState,
} from './session-state.ts'
import type { OpenedSessionThread } from './session-thread.ts'
import { readMentions, readSkill } from './user-call.ts'

type Resolve = (reply: CommandReply) => void

/** Begins a run, or queues the message while one goes on. Resolves once it is on record. */
export async function sayMessage(state: SessionState, message: SessionMessage): Promise<CommandReply> {
  const { text, images } = splitContent(message.content)
  const isEmpty = text.trim() === '' && images.length === 0
  // what is said to a run that was interrupted, or that has ended already, starts the next one
  if (isEnding(state)) await state.running?.ended
  if (state.running && !isEmpty) return queueMessage(state, 'queue', message)
  if (isEmpty && state.view.queue.length === 0)
    return { ok: false, code: 'bad_args', message: 'there is nothing to say' }
  const obstacle = await findModelObstacle(state.agent, text)
  if (obstacle && !isEmpty)
    return { ok: false, code: 'no_model', message: obstacle, hint: '/model sets one up' }
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
  if (state.running || state.isClosed || state.departure || !state.jobs.opened?.isWaking()) return
  if (wasCutOff(state)) return
  const stop = new AbortController()
  state.running = { stop, ended: runTurns(state, 'jobs', stop, () => undefined) }
}

/** What a person has stopped goes on by a message of theirs: the model is told of ended jobs then. */
function wasCutOff({ view }: SessionState): boolean {
  const last = view.blocks.findLast((block) => block.kind === 'end')
  return last !== undefined && last.end !== 'done'
}

/** Goes on with what a run has left that was cut off. Resolves once it has begun. */
export function goOnWithRun(state: SessionState): Promise<CommandReply> {
  return new Promise((resolve) => {
    const stop = new AbortController()
    state.running = { stop, ended: runTurns(state, 'rest', stop, resolve) }
  })
}

/** What a run begins with: a person's message, the end of a job, or what another one has left. */
type RunStart = SessionMessage | 'jobs' | 'rest'

const stoppedBefore: CommandReply = { ok: false, code: 'stopped', message: 'stopped before it had begun' }

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
      // whoever stops it meanwhile has all words where they were
      const runtime = await awaitParts(state, stop.signal)
      const refused = await (await import('./control/other-driver.ts')).meetOtherDriver(state)
      if (refused) return resolve(refused)
      next ??= await state.queue.takeFirst()
      if (!next) break
      const isDone = await runTurn(state, runtime, next, stop.signal, resolve)
      if (!isDone || state.isClosed || state.departure) break
      next = state.view.queue.length === 0 && state.jobs.opened?.isWaking() ? 'jobs' : undefined
      if (!next && state.view.queue.length === 0) break
    }
    resolve(acceptCommand(state))
  } catch (error) {
    const isStopped = error === stop.signal.reason
    const hint = error instanceof UserError ? error.hint : undefined
    const code = error instanceof UserError ? 'refused' : 'internal'
    const refused = {
      ok: false,
      code,
      message: messageOf(error),
      ...(hint !== undefined && { hint }),
    } as const
    resolve(isStopped ? stoppedBefore : refused)
    if (!isStopped && !isHandedOver(stop.signal)) await tellError(state, error)
  } finally {
    state.running = undefined
    for (const call of state.stops.keys()) if (!isGoingOn(state, call)) state.stops.delete(call)
  }
}

const isGoingOn = ({ view }: SessionState, call: string) => view.calls.some((one) => one.call === call)

/** Servers of tools, and of the model. Rejects with the reason of `signal` when that comes first. */
export async function awaitParts(state: SessionState, signal: AbortSignal): Promise<Runtime> {
  const [runtime] = await unlessAborted(Promise.all([state.runRuntime(), awaitModel(state)]), signal)
  return runtime
}

/** Whether the run ended with what it was begun for. */
async function runTurn(
  state: SessionState,
  runtime: Runtime,
  first: RunStart,
  signal: AbortSignal,
  resolve: Resolve,
): Promise<boolean> {
  const message = typeof first === 'string' ? undefined : first
  if (state.running) state.running.isOnRecord = false
  const thread = await openStateThread(state, threadTitleOf(message?.content))
  const { start } = state
  const notes = runtime.notes.filter((text) => !state.shownNotes.has(text))
  for (const text of start ? notes : []) await thread.record.append(noteDraft(text))
  state.start = undefined
  await readMentions(state, thread, message?.files ?? [], signal)
  if (message?.skill) await readSkill(state, thread, message.skill, signal)
  await giveNotes(state, thread)
  const turn = { isWordless: message === undefined, steps: 0 }
  const record = watchRecord(recordUntilHandedOver(thread.recordRun(), signal), state, turn, resolve)
  const { leftLimits: left } = state
  state.leftLimits = undefined
  const since = Date.now()
  const { end, spent } = await runOnThread({
    ...turnOptions(state, thread, record, signal),
    ...left,
    runtime,
    prompt: message?.content,
    ...(start && { start }),
  })
  if (isHandedOver(signal) && (end.end === 'cancelled' || end.end === 'failed'))
    state.leftLimits = leftLimits(limitsOf(state, turn.steps), { since, spent, steps: turn.steps }, left)
  await tellPlanning(state)
  if (end.end === 'failed' && end.reason === 'denied')
    resolve({ ok: false, code: 'denied', message: end.message })
  if (end.end === 'cancelled') resolve(stoppedBefore)
  return end.end === 'done'
}

const noteDraft = (text: string): EventDraft => ({ type: 'model.notice', payload: { code: 'note', text } })

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
    // you are there to stop it
    ...{ maxTurns: Number.POSITIVE_INFINITY, ...state.limits },
    ...(state.replies.before > 0 && { taken: state.replies.before }),
    prompt: undefined,
    ...(tools && { tools }),
    ask: answers.ask,
    planning: state.planning,
    // the session ends them
    jobs: lendJobs(state.jobs),
    interruption: (stop) => state.queue.nextSteering(stop),
    adaptCtx: (ctx) => adaptSessionCtx(state, ctx),
    note: (text) => state.shownNotes.has(text) || void record.append(noteDraft(text)),
    // a person's words are no part of a run that they have stopped
    inbox: async (isIdle) => {
      if (!isIdle && state.departure?.phase === 'waiting') leaveRun(state)
      return signal.aborted ? [] : takeSteering(state, thread, signal)
    },
  }
}

/** Ends the run here, so that it goes on elsewhere: at the end of a step nothing of it is lost. */
export function leaveRun({ departure, running }: SessionState): void {
  if (!departure || !running?.isOnRecord) return
  departure.phase = 'leaving'
  running.stop.abort(handedOver)
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

/** The same record; the person's words are on it once the command is answered. */
function watchRecord(
  record: SessionRecord,
  state: SessionState,
  turn: { isWordless: boolean; steps: number },
  resolve: Resolve,
): SessionRecord {
  const tellBegun = () => {
    record.flush()
    if (state.running) state.running.isOnRecord = true
    resolve(acceptCommand(state))
  }
  return {
    ...record,
    async append(draft) {
      await record.append(draft)
      if (draft.type === 'system.init' && state.planning.active() !== undefined)
        await record.append({ type: 'session.changed', payload: { mode: 'plan' } })
      if (draft.type === 'run.ended' && draft.status !== 'done' && state.running)
        state.running.isUnfinished = true
      if (draft.type === 'system.init' && turn.isWordless) tellBegun()
      if (draft.type !== 'message') return
      const { role, origin } = draft.payload
      if (role === 'assistant') {
        turn.steps++
        state.replies.here++
      }
      if (role === 'user' && !origin) tellBegun()
    },
  }
}

/** A run that leaves the session has the limit of its profile again, whatever it has taken so far. */
const limitsOf = ({ agent: { profile }, limits }: SessionState, steps: number) => ({
  limits: profile.limits,
  maxTurns: limits.maxTurns ?? profile.maxTurns + steps,
})

/** The model may begin and end planning as well. */
async function tellPlanning(state: SessionState): Promise<void> {
  const mode = state.planning.active() === undefined ? state.agent.mode : 'plan'
  if (mode !== state.view.mode) await reportEvent(state, { type: 'session.changed', payload: { mode } })
}

/** Where even this cannot be recorded it is at least seen. */
async function tellError(state: SessionState, error: unknown): Promise<void> {
  const show = (draft: EventDraft) =>
    publishEvent(state, { ...draft, id: createUlid(), run_id: '', seq: 0, ts: Date.now() })
  const message = messageOf(error)
  // a run is over although its end could not be stored: nothing that waits in it can be answered any more
  if (state.view.run)
    return show({ type: 'run.ended', payload: { end: 'failed', reason: 'unrecorded', message } })
  const draft = { type: 'model.notice', payload: { code: 'error', text: message } } as const
  await reportEvent(state, draft).catch(() => show(draft))
}
