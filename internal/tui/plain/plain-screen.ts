// The plain screen of a session. It only prints lines, for simple terminals and screen readers.

import { appendLines } from '../../base/text/append-lines.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { SessionClient, SessionService, SessionSource } from '../../session/client.ts'
import { emptyView } from '../../session/view/session-view.ts'
import { stopGoingOn } from '../inline/busy-session.ts'
import { wishesFor } from '../input/next-wishes.ts'
import type { SessionIo, SessionScreen, SessionScreenOptions } from '../screen-options.ts'
import { unblockOutput } from '../terminal/unblocked-output.ts'
import { offerText } from './plain-command.ts'
import { followEvents } from './plain-events.ts'
import { endInput } from './plain-leave.ts'
import { openPlainOutput } from './plain-output.ts'
import { describeFailure, type PlainState } from './plain-state.ts'
import { interruptScreen, takeLine } from './plain-turn.ts'
import { sayWords } from './say-words.ts'
import { readTypedLines } from './typed-lines.ts'

/** Time in milliseconds after which the screen stops waiting for a terminal that accepts no data. */
const flushMs = 1_000

/** Opens the plain screen. The user may open other threads before leaving. */
export function openPlainScreen(
  client: SessionClient,
  service: SessionService,
  io: SessionIo,
  options: SessionScreenOptions,
): SessionScreen {
  const state = createPlainState(client, service, io)
  state.screen.wishes = options.wishes ?? {}
  return { run: () => runPlainScreen(state, options), thread: () => state.conversation.client.thread }
}

const createPlainState = (client: SessionClient, service: SessionService, io: SessionIo): PlainState => ({
  screen: {
    service,
    io,
    wishes: {},
    verb: undefined,
    lastInterrupt: 0,
    leaving: undefined,
    leave: () => undefined,
    open: async () => undefined,
    lend: (use) => use(),
  },
  conversation: { client, view: emptyView(client.thread), children: new Map(), sending: 0, shown: [] },
  prompt: { question: undefined, choice: undefined, announced: undefined },
  printer: {
    print: openPlainOutput(io.output),
    width: () => io.output.columns ?? 80,
    settings: '',
  },
  composer: { skills: undefined, pictures: new Map(), mentions: [], text: '' },
})

async function runPlainScreen(
  state: PlainState,
  { firstMessage, notes, isTrustKnown = false }: SessionScreenOptions,
): Promise<number> {
  const {
    screen: { io },
  } = state
  const leaveController = new AbortController()
  state.screen.leave = () => leaveController.abort()
  const flow = unblockOutput(io.output)
  let turn = Promise.resolve()
  const take = (act: () => Promise<void>) => {
    turn = turn.then(act).catch((error: unknown) => state.printer.print([describeFailure(error)]))
  }
  const lines = readTypedLines(io, {
    line: (line) => {
      // The time of the line is recorded, because it may wait in a queue and the user has not seen questions
      // that came later.
      const at = Date.now()
      take(() => takeLine(state, line, at))
    },
    end: () => endInput(state),
    gone: state.screen.leave,
  })
  const isLent = lendLines(state, lines, flow)
  leaveController.signal.addEventListener('abort', lines.close, { once: true })
  // This listener replaces one that would end the process in the middle of a run.
  io.output.removeAllListeners('error').on('error', state.screen.leave)
  io.onInterrupt?.(() => {
    // While another program has the terminal, that program handles its own keys.
    if (!isLent()) void interruptScreen(state).catch((error: unknown) => take(() => Promise.reject(error)))
  })
  io.signal.addEventListener('abort', state.screen.leave, { once: true })
  if (io.signal.aborted) state.screen.leave()
  for (const note of notes) state.printer.print([`note: ${sanitizeText(note)}`])
  const follower = openFollower(state)
  state.screen.open = (source, text) => openThread(state, follower, source, text)
  void follower.start().then(() => (isTrustKnown ? undefined : tellTrust(state)))
  if (firstMessage !== undefined) take(() => sayWords(state, firstMessage, { isShown: false }))
  if (!leaveController.signal.aborted)
    await new Promise((resolve) => leaveController.signal.addEventListener('abort', resolve, { once: true }))
  if (!io.signal.aborted) await stopGoingOn(state)
  state.screen.verb?.stop.abort(new Error('the session has ended'))
  await follower.stop()
  await state.conversation.client.detach()
  await flow.flush(flushMs)
  flow.block()
  return 0
}

/**
 * Sets `state.screen.lend`, which holds printed lines back while another program has the terminal. Returns a
 * function that returns true during that time.
 */
function lendLines(
  state: PlainState,
  lines: Pick<ReturnType<typeof readTypedLines>, 'pause' | 'resume'>,
  flow: ReturnType<typeof unblockOutput>,
): () => boolean {
  const {
    printer: { print },
  } = state
  let heldLines: string[] | undefined
  state.printer.print = (more) => (heldLines ? void appendLines(heldLines, more) : print(more))
  state.screen.lend = async (use) => {
    const waitingLines: string[] = []
    heldLines = waitingLines
    lines.pause()
    await flow.flush(flushMs)
    flow.block()
    try {
      await use()
    } finally {
      flow.unblock()
      lines.resume()
      heldLines = undefined
      print(waitingLines)
      // Questions that arrived while another program had the terminal are visible only now.
      for (const prompt of [state.prompt.question, state.prompt.choice]) if (prompt) prompt.since = Date.now()
    }
  }
  return () => heldLines !== undefined
}

interface EventFollower {
  /** Starts the conversation. Resolves after the current state was printed. */
  start(): Promise<void>
  stop(): Promise<void>
}

function openFollower(state: PlainState): EventFollower {
  let stop = new AbortController()
  let following = Promise.resolve()
  return {
    start: () =>
      new Promise((resolve) => {
        stop = new AbortController()
        following = followEvents(state, stop.signal, resolve).finally(resolve)
      }),
    async stop() {
      stop.abort()
      await following
    },
  }
}

/**
 * Opens another thread. While a run or call is active in this process, prints a notice instead. If the thread
 * cannot be opened, rejects, and the current thread stays.
 */
async function openThread(
  state: PlainState,
  follower: EventFollower,
  source: SessionSource,
  text: string | undefined,
): Promise<void> {
  if (
    !state.conversation.client.isElsewhere &&
    (state.conversation.view.run || state.conversation.view.calls.length > 0)
  )
    return state.printer.print(['a run is active; end it with /stop before you open another thread'])
  const next = await state.screen.service.openSession(
    source,
    wishesFor(source, state.screen.wishes, state.conversation.view),
  )
  await follower.stop()
  const before = state.conversation.client
  Object.assign(state.conversation, { client: next, view: emptyView(next.thread) })
  Object.assign(state.prompt, { question: undefined, choice: undefined, announced: undefined })
  state.screen.leaving = undefined
  state.conversation.children.clear()
  await before.detach()
  await follower.start()
  if (text === undefined || text === '') return
  state.composer.text = text
  offerText(state)
}

/**
 * Prints a line about an untrusted workspace that has files for Anode, because the plain screen does not ask
 * the question about trust by itself.
 */
async function tellTrust({ screen: { service }, printer: { print } }: PlainState): Promise<void> {
  const trust = await service.readTrust?.().catch(() => undefined)
  if (!trust || trust.state === 'trusted' || trust.files.length === 0) return
  print(['files of this workspace do not apply until you trust it; /trust shows them'])
}
