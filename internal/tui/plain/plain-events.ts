// The printing of a session's events as they arrive.
import { FailureError } from '../../base/errors.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { SessionEvent } from '../../session/client.ts'
import type { ChosenSettings, QueuedMessage } from '../../session/snapshot.ts'
import type { SessionView } from '../../session/view/session-view.ts'
import { openPlainLook, pastLinesOf } from '../run-view/plain-look.ts'
import { openRunView } from '../run-view/run-view.ts'
import { leaveWhenDone } from './plain-leave.ts'
import { askNext, permissionChoices, previewLines } from './plain-questions.ts'
import type { PlainState } from './plain-state.ts'
import { forgetShown } from './say-words.ts'

/** Largest number of stored events that are read at the start, for the last exchanges and for commands. */
const recentEvents = 500

/**
 * Prints the state at the start and calls `onBegin`, and then prints new events until `signal` aborts or the
 * events end. Stored events are only used for the state at the start. If the reader is too slow and loses
 * events, it continues after the last known one.
 */
export async function followEvents(
  state: PlainState,
  signal: AbortSignal,
  onBegin: () => void = () => undefined,
): Promise<void> {
  const run = openRunView(openPlainLook(state.printer.width), state.conversation.client.thread)
  let from = Math.max(0, state.conversation.client.openedAt - recentEvents)
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    let isPresent = !isFirst
    try {
      for await (const event of state.conversation.client.readEvents(from, signal)) {
        const before = state.conversation.view
        const lines = isPresent ? run.take(event).lines : []
        if (!isPresent) run.skip(event)
        const { view } = run
        state.conversation.view = view
        from = view.pos
        for (const { thread, title } of view.children) state.conversation.children.set(thread, title)
        if (event.type === 'session.snapshot' && !isPresent) {
          showStart(state)
          askNext(state)
          isPresent = true
          onBegin()
        } else if (isPresent) showEvent(state, before, event, lines)
      }
      return
    } catch (error) {
      if (!(error instanceof FailureError && error.failure.code === 'lagged')) throw error
    }
  }
}

function showStart(state: PlainState) {
  const {
    conversation: { view },
  } = state
  state.printer.settings = settingsLine(view)
  state.printer.print([
    view.title === '' ? state.printer.settings : `${state.printer.settings}: ${sanitizeText(view.title)}`,
    '/help lists the commands; Ctrl-C stops a run, Ctrl-D leaves',
  ])
  const users = view.blocks.flatMap((block, at) => (block.kind === 'user' && !block.origin ? [at] : []))
  const from = users.at(-2) ?? users.at(-1) ?? view.blocks.length
  if (from > 0 && view.pos > 0) state.printer.print(['(earlier messages are in the thread)'])
  for (const block of view.blocks.slice(from)) state.printer.print(pastLinesOf(block, state.printer.width()))
  if (view.queue.length > 0)
    state.printer.print([...queueLines(view.queue), 'an empty line sends this to the model'])
}

function showEvent(
  state: PlainState,
  before: SessionView,
  event: SessionEvent,
  lines: readonly string[],
): void {
  const print = (more: readonly string[]) => {
    if (more.length > 0) state.printer.print(more)
  }
  switch (event.type) {
    case 'message':
      // The terminal already shows text that was typed here, so it is not printed again.
      if (event.payload.role !== 'user' || !forgetShown(state, event.payload.text)) print(lines)
      break
    case 'session.changed':
      tellChange(state, before)
      break
    case 'permission.preview': {
      const permission = state.conversation.view.waits.find(({ call }) => call === event.payload.call)
      if (permission && state.prompt.question?.call === permission.call)
        print([...previewLines(permission), permissionChoices(permission)])
      break
    }
    case 'run.ended':
      print([...lines, '\u0007'])
      break
    default:
      print(lines)
      break
  }
  askNext(state)
  leaveWhenDone(state)
}

/** Prints changed settings and a changed title, which other screens always show in a status line. */
function tellChange(state: PlainState, { title: before }: SessionView): void {
  const { title } = state.conversation.view
  const now = settingsLine(state.conversation.view)
  if (now !== state.printer.settings) state.printer.print([`now ${now}`])
  state.printer.settings = now
  // The first title is the user's message itself, so it is not printed.
  if (title !== before && before !== '') state.printer.print([`now called ${sanitizeText(title)}`])
}

export const queueLines = (queue: readonly QueuedMessage[]): string[] =>
  queue.length === 0
    ? ['nothing is queued']
    : queue.map(({ kind, text }) => `${kind}: ${sanitizeText(text, { keepLines: true })}`)

/** Returns a line with profile, model, effort and approval mode. */
function settingsLine({ model, profile, mode, effort }: ChosenSettings): string {
  const what = model.kind === 'rules' ? ', which answers with quotes found by rules' : ''
  const how = effort === undefined ? '' : `, effort ${effort}`
  return `${profile} with ${sanitizeText(model.id)}${what}${how}, approval ${mode}`
}
