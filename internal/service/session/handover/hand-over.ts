// Hand-off of a session that continues without its screen: in this process, or at the end of a step
// in another one.
import { messageOf, UserError } from '../../../base/errors.ts'
import { jobNotes } from '../../../runtime/agent/session-jobs.ts'
import type { HandOverReply, HandOverWait, SessionClient, SessionWishes } from '../../../session/client.ts'
import type { SessionFeedView } from '../session-feed-view.ts'
import type { SessionParts } from '../session-parts.ts'
import { type CarriedSession, leftCaps } from './carried-session.ts'

/** The data that a process needs to continue a session. */
export interface HandOverOrder {
  cwd: string
  thread: string
  settings: SessionWishes
  addDirs: readonly string[]
  carried: CarriedSession
}

/** Access to other processes in which runs continue without a screen. */
export interface RunPlaces {
  /** Connects to the session of a thread in one of these processes; undefined if none serves the thread. */
  join(thread: string): Promise<SessionClient | undefined>
  /** Resolves to true if one of these processes serves the thread. */
  isTaken(thread: string): Promise<boolean>
  /**
   * Starts a process for the session. Resolves to `started` when it continues the run, or to `taken` if
   * another process serves the thread. Throws the cause of a failure.
   */
  start(order: HandOverOrder): Promise<'started' | 'taken'>
  /**
   * Lets this process serve the thread in the background after its screen has closed. Resolves to false if it
   * cannot do so now. Undefined if it can never do so.
   */
  stay?(thread: string): Promise<boolean>
}

interface HandOverMeans {
  runs: RunPlaces
  addDirs: readonly string[]
}

type HandOverRefusal = Extract<HandOverReply, { kind: 'refused' }>

/**
 * Hands the session off to another process, or continues it in this process without a screen. If nothing is
 * handed off, the reply says why: the user stayed, the run had ended, a handoff is in progress already,
 * another process serves the thread, or an error occurred. Never rejects.
 */
export function handOverSession(
  session: SessionParts,
  means: HandOverMeans,
  { stay, hurry }: HandOverWait,
): Promise<HandOverReply> {
  const { turns } = session
  if (turns.departure) return Promise.resolve({ kind: 'refused', message: 'it is already being handed off' })
  const hurried = new AbortController()
  let settle: (reply: HandOverReply) => void = () => undefined
  const done = new Promise<HandOverReply>((resolve) => {
    settle = resolve
  })
  turns.departure = { phase: 'asked', hurry: () => hurried.abort(), done }
  const work = leaveAndStart(session, means, stay, AbortSignal.any([hurry, hurried.signal]))
  void work.catch((error: unknown) => refusalOf(error)).then(settle)
  return done
}

async function leaveAndStart(
  session: SessionParts,
  means: HandOverMeans,
  stay: AbortSignal,
  hurry: AbortSignal,
): Promise<HandOverReply> {
  const { turns, thread } = session
  const stayHere = <T extends HandOverReply>(reply: T): T => {
    turns.departure = undefined
    return reply
  }
  const { id } = thread
  if (await means.runs.isTaken(id)) return stayHere(refuseTaken(id))
  // if this process can continue in the background, it neither waits for a long step nor interrupts it
  if (turns.running && !waitsForUser(session.feed) && (await means.runs.stay?.(id)))
    return stayHere({ kind: 'handed_over' })
  if (turns.departure) turns.departure.phase = 'waiting'
  const isCutOff = await awaitStepEnd(session, stay, hurry)
  if (isCutOff === undefined) return stayHere({ kind: 'stayed' })
  if (!isCutOff && !hasNextRun(session.feed)) return stayHere({ kind: 'ended' })
  if (turns.departure) turns.departure.phase = 'leaving'
  const reply = await startElsewhere(session, means).catch((error: unknown) => refusalOf(error))
  if (reply === 'started') {
    if (turns.departure) turns.departure.phase = 'left'
    return { kind: 'handed_over' }
  }
  // the thread has recorded the run as interrupted, so it is read again like that of a killed process
  thread.forget()
  turns.departure = undefined
  if (reply === 'taken')
    return { ...refuseTaken(id), message: `the run has stopped: ${refuseTaken(id).message}` }
  if (!session.closing.aborted) await (isCutOff ? turns.resume() : turns.say({ content: '', files: [] }))
  return reply
}

/** Returns true if a queued message starts a run. After a run that did not succeed, it does not. */
const hasNextRun = ({ view: { queue, blocks } }: SessionFeedView) =>
  queue.length > 0 && blocks.findLast((block) => block.kind === 'end')?.end === 'done'

const refuseTaken = (thread: string): HandOverRefusal => ({
  kind: 'refused',
  message: 'another process serves this thread',
  hint: `anode attach ${thread}`,
})

function refusalOf(error: unknown): HandOverRefusal {
  const hint = error instanceof UserError ? error.hint : undefined
  return { kind: 'refused', message: messageOf(error), hint }
}

/**
 * Waits for the end of the current step. Resolves to true if a run was interrupted, to false if it ended
 * normally or no run was active, and to undefined if the user stays (`stay` aborted).
 */
async function awaitStepEnd(
  session: SessionParts,
  stay: AbortSignal,
  hurry: AbortSignal,
): Promise<boolean | undefined> {
  const { turns, runs, feed } = session
  const { running } = turns
  if (!running) return stay.aborted ? undefined : false
  const isWaiting = () => turns.departure?.phase === 'waiting'
  const look = () => {
    if (isWaiting() && (hurry.aborted || waitsForUser(feed))) turns.leave()
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
    return runs.leftLimits !== undefined
  } finally {
    clearInterval(timer)
    hurry.removeEventListener('abort', look)
  }
}

const lookMs = 50

/** Returns true if the run waits only for answers of the user, which another process can receive as well. */
function waitsForUser({ view: { waits, questions, calls, children, openReply } }: SessionFeedView): boolean {
  const running = calls.filter(({ byPerson }) => !byPerson).length
  const isAsked = waits.length + questions.length > 0
  return isAsked && running <= questions.length && children.length === 0 && openReply === undefined
}

/**
 * Ends calls that the user made and background commands, because another process cannot continue them. Adds
 * notes about them for the model.
 */
async function endOwnWork({ calls, jobs, notes }: SessionParts): Promise<void> {
  await calls.endOwn('the session has left')
  const board = jobs.opened
  const running = board?.list().filter((job) => job.running) ?? []
  await Promise.all(running.map(({ id }) => board?.stop(id)))
  for (const { content } of jobNotes(jobs)) if (typeof content === 'string') notes.add(content)
}

async function startElsewhere(
  session: SessionParts,
  { runs, addDirs }: HandOverMeans,
): Promise<'started' | 'taken'> {
  const { thread, context, settings } = session
  await endOwnWork(session)
  const carried = await carrySession(session)
  // the events are written now, because the other process reads the thread from the store
  ;(await thread.open('')).record.flush()
  return runs.start({
    cwd: context.workspace,
    thread: thread.id,
    settings: settings.wishes(),
    addDirs,
    carried,
  })
}

async function carrySession(session: SessionParts): Promise<CarriedSession> {
  const { settings, answers, notes, queue, runs } = session
  const { effort, addedDirs, tools, limits } = settings
  const { conversation } = await session.thread.open('')
  const { tokens, usd } = leftCaps(limits.within?.caps ?? {}, limits.within?.spent)
  return {
    effort,
    tools,
    run: runs.leftLimits,
    addedDirs,
    rules: [...answers.rules.values()],
    notes: notes.list(),
    queued: queue.carried(),
    seen: [...conversation.seen],
    replies: runs.replies.before + runs.replies.here,
    limits: { tokens, usd, maxTurns: limits.maxTurns },
  }
}
