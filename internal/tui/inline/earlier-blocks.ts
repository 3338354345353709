// What lies before the events that a screen began with: read in pages when somebody scrolls up to it.
import { countNoun } from '../../base/text/count-noun.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { closeReply, foldSessionEvent } from '../../session/view/fold.ts'
import { closeView } from '../../session/view/fold-run.ts'
import { emptyView, type SessionView } from '../../session/view/session-view.ts'
import type { InlineState } from './inline-state.ts'
import { extendTranscript, type TranscriptSource } from './transcript-page.ts'

const pageEvents = 200

/** Position of the first event that this screen knows of; 1: there is none before it. */
export function firstKnownEvent({ conversation: { earlier, view, firstEvent } }: InlineState): number {
  if (earlier) return earlier.from
  // a view holds so many blocks only
  const oldest = view.dropped > 0 ? view.blocks.find(({ pos }) => pos !== undefined)?.pos : undefined
  return oldest ?? firstEvent
}

/** One page more; true where there was one. */
export async function readEarlierBlocks(state: InlineState): Promise<boolean> {
  const before = firstKnownEvent(state)
  if (before <= 1 || state.conversation.isReadingEarlier) return false
  state.conversation.isReadingEarlier = true
  try {
    const events = await state.conversation.client.readHistory(before, pageEvents)
    const from = events[0] && 'pos' in events[0] ? (events[0].pos ?? 1) : 1
    const { blocks } = closeView(events.reduce(foldSessionEvent, emptyView(state.conversation.view.thread)))
    // blocks that a view has dropped since are in no page: what was read stays before what is there
    state.conversation.earlier = { blocks: [...blocks, ...(state.conversation.earlier?.blocks ?? [])], from }
    return true
  } finally {
    state.conversation.isReadingEarlier = false
  }
}

/** How many events lie before what is shown, in words; empty where none do. */
export function describeEarlier(state: InlineState): string {
  const count = firstKnownEvent(state) - 1
  return count > 0 ? countNoun(count, 'earlier event') : ''
}

/** What the transcript of a screen is made of: a child agent's thread, else that of the session. */
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

/** One object for each view: what was drawn of it is kept. */
function closeOnce(view: SessionView): SessionView {
  const known = closed.get(view) ?? closeReply(view, Date.now())
  closed.set(view, known)
  return known
}

/** Reads on where the page stands at its beginning. */
export async function extendPage(state: InlineState): Promise<void> {
  if (!state.overlays.page || state.overlays.page.top > 0 || state.conversation.pageThread !== undefined)
    return
  if (!(await readEarlierBlocks(state)) || !state.overlays.page) return
  state.overlays.page = extendTranscript(state.overlays.page, transcriptOf(state), state.display.wide)
  state.screen.changed(true)
}
