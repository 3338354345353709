// One conversation on the inline screen, from the first frame until the user leaves the conversation.

import { FailureError } from '../../base/errors.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import type { SessionClient, SessionService } from '../../session/client.ts'
import { foldSessionEvent } from '../../session/view/fold.ts'
import type { SessionView } from '../../session/view/session-view.ts'
import { addText, draftOf } from '../input/editor-text.ts'
import { openMentionSearch } from '../input/mention.ts'
import { readSkills } from '../input/session-skills.ts'
import { closePages } from '../page/live-page.ts'
import { drawDim } from '../run-view/message.ts'
import { drawNotice } from '../run-view/run-end.ts'
import { openScrollback } from '../run-view/scrollback.ts'
import type { SessionIo, SessionScreenOptions } from '../screen-options.ts'
import type { TerminalInput } from '../terminal/key-decoder.ts'
import { type LiveScreen, openLiveScreen } from '../terminal/live-screen.ts'
import { stopGoingOn } from './busy-session.ts'
import { followChildren } from './child-views.ts'
import { commandMenu, mentionMenu, mentionQuery } from './completion-menu.ts'
import { fitDialog, typedInDialog } from './dialogs.ts'
import { firstKnownEvent } from './earlier-blocks.ts'
import { handleInput } from './handle-key.ts'
import type { InlineOutcome, InlineState } from './inline-state.ts'
import { noticeBytes, titleBytes } from './notice.ts'
import { countEarlier, openInlineState } from './open-inline-state.ts'
import { openRedrawTimer } from './redraw-timer.ts'
import { createScreenContent } from './screen-content.ts'
import { showStart } from './session-start.ts'
import { endStopHint, leaveWhenDone } from './stop-session.ts'
import { giveText } from './submit-text.ts'
import { openNextDialog, readTrustOffer } from './trust-offer.ts'
import { watchBoards } from './watch-boards.ts'

export async function runInlineSession(
  client: SessionClient,
  service: SessionService,
  io: SessionIo,
  options: SessionScreenOptions,
): Promise<InlineOutcome> {
  let leave: (outcome: InlineOutcome) => void = () => undefined
  const exitPromise = new Promise<InlineOutcome>((resolve) => {
    leave = resolve
  })
  const state = await openInlineState(
    client,
    service,
    io,
    {
      press: (input) => live.press(input),
      changed(soon) {
        state.composer.draft.change(draftOf(state.composer, typedInDialog(state.overlays.dialog)))
        live.screen.changed(soon)
      },
      redraw: () => live.screen.redraw(),
      suspend: () => live.screen.suspend(),
      signal: (bytes) => live.screen.signal(bytes),
      leave: (code) => leave({ kind: 'left', code }),
      open(next, text) {
        const { form, theme } = state.display
        leave({ kind: 'open', client: next, text, wishes: state.screen.wishes, form, theme })
      },
      lend: (use) => live.screen.lend(use),
    },
    options,
  )
  if (options.text !== undefined) addText(state.composer, options.text)
  const live = openInlineLive(state, options.reflow, (code) => leave({ kind: 'left', code }))
  const endFromOutside = () => leave({ kind: 'left', code: 143 })
  if (io.signal.aborted) endFromOutside()
  io.signal.addEventListener('abort', endFromOutside, { once: true })
  for (const text of options.notes)
    state.hints.notes.push(drawNotice({ text, tone: 'plain' }, state.display.look))
  const reading = new AbortController()
  const read = readSession(state, reading.signal, live.changed).catch((error: unknown) => {
    if (!reading.signal.aborted) live.fail(error)
  })
  state.screen.changed(true)
  if (!options.isTrustKnown) void readTrustOffer(state).then(live.keep)
  if (options.firstMessage === undefined) void showStart(state)
  if (options.firstMessage !== undefined)
    void giveText(state, options.firstMessage, { type: 'say', content: options.firstMessage })
  const outcome = await exitPromise
  await live.close(outcome)
  io.signal.removeEventListener('abort', endFromOutside)
  reading.abort()
  await read
  if (live.error() !== undefined) throw live.error()
  return outcome
}

/** Follows the events of the session. If the reader fell behind, it resumes after the last known event. */
async function readSession(
  state: InlineState,
  signal: AbortSignal,
  changed: (before: SessionView) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const event of state.conversation.client.readEvents(state.conversation.view.pos, signal)) {
        const before = state.conversation.view
        state.conversation.view = foldSessionEvent(before, event)
        if (event.type === 'session.snapshot') state.conversation.isCurrent = true
        if (state.conversation.view !== before || event.type === 'session.snapshot') changed(before)
      }
      return
    } catch (error) {
      if (!(error instanceof FailureError) || error.failure.code !== 'lagged') throw error
    }
  }
}

interface InlineLive {
  readonly screen: LiveScreen
  press(input: TerminalInput): void
  /** Keeps redrawing the screen while its content changes by itself. */
  keep(): void
  changed(before: SessionView): void
  fail(error: unknown): void
  error(): unknown
  close(outcome: InlineOutcome): Promise<void>
}

/**
 * Opens the terminal for the state of the screen. It passes input to the state, and draws the changes
 * of the state.
 */
function openInlineLive(
  state: InlineState,
  reflow: SessionScreenOptions['reflow'],
  end: (code: number) => void,
): InlineLive {
  const scrollback = openScrollback()
  let isGone = false
  let isLeaving = false
  let failure: unknown
  let isBegun = false
  const endController = new AbortController()
  const press = (input: TerminalInput) => handleInput(state, input, edited)
  const screen = openLiveScreen(state.screen.io, {
    content: createScreenContent(state, scrollback, () => isLeaving),
    reflow,
    input: press,
    gone() {
      isGone = true
      end(129)
    },
  })
  const timer = openRedrawTimer(state, screen)
  const completion = watchText(state)
  const tellChange = watchChanges(state, screen)
  const edited = () => {
    completion.edited()
    timer.keep()
  }
  return {
    screen,
    press,
    keep: timer.keep,
    changed(before) {
      if (!isBegun && state.conversation.isCurrent) skipEarlier(state, scrollback)
      isBegun = state.conversation.isCurrent
      followView(state, tellChange, before)
      followChildren(state, endController.signal)
      watchBoards(state)
      screen.changed()
      timer.keep()
    },
    fail(error) {
      failure = error
      end(70)
    },
    error: () => failure,
    async close(outcome) {
      completion.stop()
      endController.abort()
      closeDialogs(state)
      state.overlays.boards?.close()
      if (!isGone && outcome.kind === 'left') await stopGoingOn(state)
      isLeaving = true
      timer.stop()
      await state.composer.draft.flush()
      if (isGone) return screen.abandon()
      await screen.close()
    },
  }
}

/**
 * Updates the parts of the screen that depend on the view: dialogs, notices, the hint about a stop, and a
 * request to leave that waits for work to end.
 */
function followView(
  state: InlineState,
  tellChange: ReturnType<typeof watchChanges>,
  before: SessionView,
): void {
  const now = Date.now()
  fitDialog(state)
  openNextDialog(state, false, now)
  tellChange(before, now)
  endStopHint(state)
  leaveWhenDone(state)
}

function closeDialogs(state: InlineState): void {
  state.screen.verb?.stop.abort(new Error('the session has ended'))
  state.overlays.dialog = undefined
  state.overlays.page = undefined
  closePages(state)
}

/**
 * Creates a function for changes of the view. It notifies a user who looks elsewhere when a long run ends or
 * an answer is needed, and updates the title of the terminal.
 */
function watchChanges(state: InlineState, screen: LiveScreen) {
  let title = ''
  return (before: SessionView, now: number) => {
    const {
      conversation: { view },
      display: { focused },
      screen: { notify, io },
    } = state
    const named = titleBytes(view)
    const bytes = noticeBytes(before, view, now, { focused, env: io.env, notify, run: io.runNotice })
    if (bytes !== '' || named !== title) screen.signal(bytes + (named === title ? '' : named))
    title = named
  }
}

/** Updates the completion menu when the text changes. */
function watchText(state: InlineState): { edited(): void; stop(): void } {
  const {
    composer: { editor },
    conversation: { client },
    screen,
  } = state
  let last = editor.text()
  const search = openMentionSearch(
    (query, limit, signal) => client.findMentions(query, limit, signal),
    (choices) => {
      if (mentionQuery(editor.text(), editor.caret()) === undefined) return
      state.composer.menu = mentionMenu(choices)
      screen.changed(true)
    },
  )
  return {
    edited() {
      const text = editor.text()
      if (text === last) return
      last = text
      const query = mentionQuery(text, editor.caret())
      if (query !== undefined) search.query(query)
      else showCommands(state)
    },
    stop: () => search.stop(),
  }
}

/** Shows matching commands immediately, and matching skills once they are loaded. */
function showCommands(state: InlineState): void {
  const {
    composer: { editor },
    screen,
  } = state
  const show = () => {
    state.composer.menu = commandMenu(editor.text(), editor.caret(), state.composer.skills)
  }
  show()
  if (state.composer.skills || !editor.text().startsWith('/')) return
  void readSkills(state.screen.service, state.composer).then(() => {
    if (!editor.text().startsWith('/')) return
    show()
    screen.changed()
  })
}

/**
 * Marks all but the last two exchanges of a resumed conversation as printed, so that they are not shown. On
 * the inline screen, a note shows their number of events.
 */
function skipEarlier(state: InlineState, scrollback: ReturnType<typeof openScrollback>): void {
  const earlier = countEarlier(state.conversation.view)
  if (earlier > 0) scrollback.skip(state.conversation.view, earlier)
  const first = earlier > 0 ? state.conversation.view.blocks[earlier]?.pos : undefined
  const before = (first ?? firstKnownEvent(state)) - 1
  if (before > 0 && state.display.form === 'inline')
    state.hints.notes.unshift(
      drawDim(`${countNoun(before, 'earlier event')}; Ctrl-O shows them`, state.display.look),
    )
}
