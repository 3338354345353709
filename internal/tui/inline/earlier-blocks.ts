// The part of a conversation before the first loaded event. It is read in pages when the user scrolls up.
import { countNoun } from '../../base/text/count-noun.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { closeReply, foldSessionEvent } from '../../session/view/fold.ts'
import { closeView } from '../../session/view/fold-run.ts'
import { emptyView, type SessionView } from '../../session/view/session-view.ts'
import type { InlineState } from './inline-state.ts'
import { extendTranscript, type TranscriptSource } from './transcript-page.ts'

const pageEvents = 200

/** Returns the position of the first loaded event. At position 1 no event is missing. */
export function firstKnownEvent({ conversation: { earlier, view, firstEvent } }: InlineState): number {
  if (earlier) return earlier.from
  // The view drops its oldest blocks, so the oldest remaining block is the first known one.
  const oldest = view.dropped > 0 ? view.blocks.find(({ pos }) => pos !== undefined)?.pos : undefined
  return oldest ?? firstEvent
}

/**
 * Reads one more page of earlier events. Returns false if no event is missing or another page is being read.
 */
export async function readEarlierBlocks(state: InlineState): Promise<boolean> {
  const before = firstKnownEvent(state)
  if (before <= 1 || state.conversation.isReadingEarlier) return false
  state.conversation.isReadingEarlier = true
  try {
    const events = await state.conversation.client.readHistory(before, pageEvents)
    const from = events[0] && 'pos' in events[0] ? (events[0].pos ?? 1) : 1
    const { blocks } = closeView(events.reduce(foldSessionEvent, emptyView(state.conversation.view.thread)))
    // Blocks that the view has dropped since then are in no page, so the pages stay directly before the
    // blocks of the view.
    state.conversation.earlier = { blocks: [...blocks, ...(state.conversation.earlier?.blocks ?? [])], from }
    return true
  } finally {
    state.conversation.isReadingEarlier = false
  }
}

/** Returns a text with the number of events before the shown ones; empty without such events. */
export function describeEarlier(state: InlineState): string {
  const count = firstKnownEvent(state) - 1
  return count > 0 ? countNoun(count, 'earlier event') : ''
}

/** Returns the source of the transcript: the thread of a subagent if its page is open, else the session. */
export function transcriptOf(state: InlineState): TranscriptSource {
  const child =
    state.conversation.pageThread === undefined
      ? undefined
      : state.conversation.children.get(state.conversation.pageThread)
  if (child) return { view: closeOnce(child.view), before: `the agent: ${sanitizeText(child.title)}` }
  return {
    view: closeOnce(state.conversation.view),
    earlier: state.conversation.earlier,
    before: describeEarlier(state),
  }
}

const closed = new WeakMap<SessionView, SessionView>()

/**
 * Returns the view without a response that is still being written. The same view gives the same object, so
 * that drawn lines can be cached.
 */
function closeOnce(view: SessionView): SessionView {
  const closedView = closed.get(view) ?? closeReply(view, Date.now())
  closed.set(view, closedView)
  return closedView
}

/**
 * Reads earlier events and adds them above, if the transcript of the session is open and scrolled to its top.
 * Does nothing for the transcript of a subagent.
 */
export async function extendPage(state: InlineState): Promise<void> {
  if (!state.overlays.page || state.overlays.page.top > 0 || state.conversation.pageThread !== undefined)
    return
  if (!(await readEarlierBlocks(state)) || !state.overlays.page) return
  state.overlays.page = extendTranscript(state.overlays.page, transcriptOf(state), state.display.wide)
  state.screen.changed(true)
}
