// Hands a session over to a process of its own: what goes on stops at the end of a step, and goes on there.
import { defined } from '../../../base/defined.ts'
import { messageOf, UserError } from '../../../base/errors.ts'
import { jobNotes } from '../../../runtime/agent/session-jobs.ts'
import type { HandOverReply, HandOverWait, SessionClient, SessionWishes } from '../../../session/client.ts'
import type { SessionState } from '../session-state.ts'
import { goOnWithRun, leaveRun, sayMessage } from '../session-turns.ts'
import { type CarriedSession, leftCaps } from './carried-session.ts'

/** What a process needs to go on with a session. */
export interface HandOverOrder {
  cwd: string
  thread: string
  settings: SessionWishes
  addDirs: readonly string[]
  carried: CarriedSession
}

/** Processes in which runs go on without a screen. */
export interface RunPlaces {
  /** The session of a thread that lives in one of them; undefined for one that does not. */
  join(thread: string): Promise<SessionClient | undefined>
  /** Whether a process serves the thread. */
  isTaken(thread: string): Promise<boolean>
  /** Resolves when it goes on there, `taken` where another one serves the thread. Throws what hinders it. */
  start(order: HandOverOrder): Promise<'started' | 'taken'>
}

interface HandOverMeans {
  runs: RunPlaces
  addDirs: readonly string[]
}

type Refusal = Extract<HandOverReply, { kind: 'refused' }>

/** Never rejects. One of the two goes on with the thread, and never both. */
export function handOverSession(
  state: SessionState,
  means: HandOverMeans,
  { stay, hurry }: HandOverWait,
): Promise<HandOverReply> {
  if (state.departure) return Promise.resolve({ kind: 'refused', message: 'it is being handed over already' })
  const hurried = new AbortController()
  let settle: (reply: HandOverReply) => void = () => undefined
  const done = new Promise<HandOverReply>((resolve) => {
    settle = resolve
  })
  state.departure = { phase: 'asked', hurry: () => hurried.abort(), done }
  const work = leaveAndStart(state, means, stay, AbortSignal.any([hurry, hurried.signal]))
  void work.catch((error: unknown) => refusalOf(error)).then(settle)
  return done
}

async function leaveAndStart(
  state: SessionState,
  means: HandOverMeans,
  stay: AbortSignal,
  hurry: AbortSignal,
): Promise<HandOverReply> {
  const stayHere = <T extends HandOverReply>(reply: T): T => {
    state.departure = undefined
    return reply
  }
  const { id } = state.thread
  if (await means.runs.isTaken(id)) return stayHere(refuseTaken(id))
  if (state.departure) state.departure.phase = 'waiting'
  const isCutOff = await awaitStepEnd(state, stay, hurry)
  if (isCutOff === undefined) return stayHere({ kind: 'stayed' })
  if (!isCutOff && !hasNextRun(state)) return stayHere({ kind: 'ended' })
  if (state.departure) state.departure.phase = 'leaving'
  const reply = await startElsewhere(state, means).catch((error: unknown) => refusalOf(error))
  if (reply === 'started') {
    if (state.departure) state.departure.phase = 'left'
    return { kind: 'handed_over' }
  }
  // what was cut off stands in the thread as for any other process
  state.thread.forget()
  state.departure = undefined
  if (reply === 'taken')
    return { ...refuseTaken(id), message: `the run has stopped: ${refuseTaken(id).message}` }
  if (!state.isClosed) await (isCutOff ? goOnWithRun(state) : sayMessage(state, { content: '', files: [] }))
  return reply
}

/** What is queued follows by itself only where the run before is done. */
const hasNextRun = ({ view: { queue, blocks } }: SessionState) =>
  queue.length > 0 && blocks.findLast((block) => block.kind === 'end')?.end === 'done'

const refuseTaken = (thread: string): Refusal => ({
  kind: 'refused',
  message: 'another process serves this thread',
  hint: `anode attach ${thread}`,
})

function refusalOf(error: unknown): Refusal {
  const hint = error instanceof UserError ? error.hint : undefined
  return { kind: 'refused', message: messageOf(error), ...(hint !== undefined && { hint }) }
}

/** Whether a run was cut off; false where it has ended by itself, undefined where it is to stay. */
async function awaitStepEnd(
  state: SessionState,
  stay: AbortSignal,
  hurry: AbortSignal,
): Promise<boolean | undefined> {
  const { running } = state
  if (!running) return stay.aborted ? undefined : false
  const isWaiting = () => state.departure?.phase === 'waiting'
  const look = () => {
    if (isWaiting() && (hurry.aborted || waitsForPerson(state))) leaveRun(state)
  }
  const timer = setInterval(look, lookMs)
  look()
  hurry.addEventListener('abort', look)
  const stayed = new Promise<'stayed'>((resolve) => {
    const end = () => isWaiting() && resolve('stayed')
    stay.addEventListener('abort', end)
    if (stay.aborted) end()
  })
  try {
    if ((await Promise.race([running.ended, stayed])) === 'stayed') return undefined
    return state.leftLimits !== undefined
  } finally {
    clearInterval(timer)
    hurry.removeEventListener('abort', look)
  }
}

const lookMs = 50

/** Nothing runs: all that is open waits for answers, which can be given elsewhere as well. */
function waitsForPerson({ view: { waits, questions, calls, children, openReply } }: SessionState): boolean {
  const running = calls.filter(({ byPerson }) => !byPerson).length
  const isAsked = waits.length + questions.length > 0
  return isAsked && running <= questions.length && children.length === 0 && openReply === undefined
}

/** What the person runs here, and commands in the background, end with this process; the model is told. */
async function endOwnWork(state: SessionState): Promise<void> {
  for (const { stop } of state.calls) stop.abort(new Error('the session has left'))
  await Promise.all([...state.calls].map(({ ended }) => ended))
  const board = state.jobs.opened
  const running = board?.list().filter((job) => job.running) ?? []
  await Promise.all(running.map(({ id }) => board?.stop(id)))
  for (const { content } of jobNotes(state.jobs)) if (typeof content === 'string') state.notes.push(content)
}

async function startElsewhere(
  state: SessionState,
  { runs, addDirs }: HandOverMeans,
): Promise<'started' | 'taken'> {
  const { thread, context } = state
  await endOwnWork(state)
  const carried = await carrySession(state)
  // the other process reads what stands in the thread
  ;(await thread.open('')).record.flush()
  return runs.start({
    ...{ cwd: context.workspace, thread: thread.id, settings: wishesOf(state) },
    ...{ addDirs, carried },
  })
}

async function carrySession(state: SessionState): Promise<CarriedSession> {
  const { effort, addedDirs, answers, notes, queue, thread, tools, limits } = state
  const { conversation } = await thread.open('')
  const { tokens, usd } = leftCaps(limits.within?.caps ?? {}, limits.within?.spent)
  return {
    ...defined({ effort, tools, run: state.leftLimits }),
    ...{
      addedDirs,
      rules: [...answers.rules.values()],
      notes,
      queued: queue.carried(),
      seen: [...conversation.seen],
    },
    replies: state.replies.before + state.replies.here,
    limits: defined({ tokens, usd, maxTurns: limits.maxTurns }),
  }
}

/** A model that nobody has named is found anew. */
function wishesOf({ agent, toolset }: SessionState): SessionWishes {
  const { profile, model, mode, isNamed } = agent
  return { profile: profile.name, mode, toolset, ...(isNamed && { model: model.id }) }
}
