// What happens in a session, printed as it comes.
import { FailureError } from '../../base/errors.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { SessionEvent } from '../../session/client.ts'
import { foldSessionEvent } from '../../session/view/fold.ts'
import type { SessionView } from '../../session/view/session-view.ts'
import { leaveWhenDone } from './plain-leave.ts'
import {
  blockLinesOf,
  callStartLine,
  pastLinesOf,
  permissionChoices,
  previewLines,
  queueLines,
  settingsLine,
} from './plain-lines.ts'
import { askNext } from './plain-questions.ts'
import type { PlainState } from './plain-state.ts'
import { forgetShown } from './say-words.ts'

/** Stored events before the present that are read: for the last exchanges, and for what commands show. */
const recentEvents = 500

/**
 * `begun` is called once it is said what goes on now. Reads again from where it was when more has happened
 * than could be printed.
 */
export async function followEvents(
  state: PlainState,
  signal: AbortSignal,
  begun: () => void = () => undefined,
): Promise<void> {
  let from = Math.max(0, state.conversation.client.openedAt - recentEvents)
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    let isPresent = !isFirst
    try {
      for await (const event of state.conversation.client.readEvents(from, signal)) {
        const before = state.conversation.view
        state.conversation.view = foldSessionEvent(before, event)
        from = state.conversation.view.pos
        for (const { thread, title } of state.conversation.view.children)
          state.conversation.children.set(thread, title)
        if (event.type === 'session.snapshot' && !isPresent) {
          showStart(state)
          askNext(state)
          isPresent = true
          begun()
        } else if (isPresent) showEvent(state, before, event)
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
  if (from > 0 && view.pos > 0) state.printer.print(['(what lies before is in the thread)'])
  for (const block of view.blocks.slice(from)) state.printer.print(pastLinesOf(block, state.printer.width()))
  if (view.queue.length > 0)
    state.printer.print([...queueLines(view.queue), 'an empty line gives this to the model'])
}

function showEvent(state: PlainState, before: SessionView, event: SessionEvent): void {
  const {
    conversation: { view },
    printer: { print },
  } = state
  const width = state.printer.width()
  switch (event.type) {
    case 'message.delta':
      if (event.status === 'discarded') dropReply(state, before)
      else showParagraphs(state)
      break
    case 'message':
      if (event.payload.role === 'assistant') showReply(state, event.payload.text)
      else if (event.payload.role === 'summary') print(newLines(view, before, width))
      else if (event.payload.role === 'user' && !forgetShown(state, event.payload.text))
        print(newLines(view, before, width))
      break
    case 'session.changed':
      tellChange(state, before)
      break
    case 'tool.call':
      print([callStartLine(event.payload)])
      break
    case 'tool.result': {
      const block = view.blocks.findLast((one) => one.kind === 'call' && one.id === event.payload.call)
      if (block) print(blockLinesOf(block, width))
      break
    }
    case 'permission.preview': {
      const asked = view.waits.find(({ call }) => call === event.payload.call)
      if (asked && state.prompt.question?.call === asked.call)
        print([...previewLines(asked), permissionChoices(asked)])
      break
    }
    case 'run.ended':
      print([...newLines(view, before, width), '\u0007'])
      break
    case 'model.notice':
    case 'job.ended':
    case 'limit':
      print(newLines(view, before, width))
      break
    default:
      break
  }
  askNext(state)
  leaveWhenDone(state)
}

/** Other screens have a line that always says it. */
function tellChange(state: PlainState, { title: before }: SessionView): void {
  const { title } = state.conversation.view
  const now = settingsLine(state.conversation.view)
  if (now !== state.printer.settings) state.printer.print([`now ${now}`])
  state.printer.settings = now
  // the first one is the message itself
  if (title !== before && before !== '') state.printer.print([`now called ${sanitizeText(title)}`])
}

function newLines(view: SessionView, before: SessionView, width: number): string[] {
  const last = view.blocks.at(-1)
  return last && last !== before.blocks.at(-1) ? blockLinesOf(last, width) : []
}

function dropReply(state: PlainState, before: SessionView): void {
  if (state.printer.printed !== '')
    state.printer.print(newLines(state.conversation.view, before, state.printer.width()))
  state.printer.printed = ''
}

/** Whole paragraphs as they come: a line that is read aloud is not to change any more. */
function showParagraphs(state: PlainState): void {
  const text = state.conversation.view.openReply?.text ?? ''
  const end = text.lastIndexOf('\n\n')
  if (end > state.printer.printed.length) showText(state, text.slice(0, end))
}

function showReply(state: PlainState, text: string): void {
  if (text.length > state.printer.printed.length) showText(state, text)
  state.printer.printed = ''
}

function showText(state: PlainState, text: string): void {
  const more = sanitizeText(text.slice(state.printer.printed.length), { keepLines: true }).replace(/^\n+/, '')
  state.printer.print([state.printer.printed === '' ? `anode: ${more}` : more])
  state.printer.printed = text
}
