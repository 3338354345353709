// The keys that stop work or leave the session, and the question before the user leaves.
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { inlineCommandScreen } from '../command/inline-command-screen.ts'
import { rewindThread } from '../command/undo-command.ts'
import { clearEditor } from '../input/editor-text.ts'
import { drawNotice } from '../run-view/run-end.ts'
import { busyLines, hasRun, isBusy, lostLines, nameStep } from './busy-session.ts'
import { askChoice } from './dialogs.ts'
import { armedMs, type InlineState, showFailure, showHint } from './inline-state.ts'
import { sendCommand } from './send-command.ts'

const stopping = 'stopping'

/**
 * Time in milliseconds after which a running call or subagent stops only if the user presses the key twice.
 */
const longCallMs = 10_000

export function goBack(state: InlineState): void {
  if (state.composer.menu) {
    state.composer.menu = undefined
  } else if (state.screen.leaving) stayHere(state)
  else if (!stopWork(state) && state.composer.editor.isEmpty()) goBackTwice(state)
}

/**
 * Stops the run, the calls of the user, or another command; for a long call it may only ask for a second key.
 * Returns false if none of them runs.
 */
function stopWork(state: InlineState): boolean {
  const {
    conversation: { view, sending },
    screen: { verb },
  } = state
  if (hasRun(view) || sending) stopRun(state)
  else if (verb) {
    showHint(state, stopping, armedMs)
    verb.stop.abort(new Error('stopped'))
  } else return false
  return true
}

/** Opens the list of messages to go back to when the key is pressed a second time within two seconds. */
function goBackTwice(state: InlineState): void {
  const now = Date.now()
  if (state.hints.armed?.key === 'rewind' && state.hints.armed.until > now) {
    state.hints.armed = undefined
    void rewindThread(inlineCommandScreen(state)).catch((error: unknown) => showFailure(state, error))
  } else {
    state.hints.armed = { key: 'rewind', until: now + armedMs }
    showHint(state, 'press again to rewind to a message', armedMs, 0)
  }
}

function stopRun(state: InlineState): void {
  const now = Date.now()
  const { calls, children } = state.conversation.view
  const long = [...calls, ...children].filter(({ since }) => now - since >= longCallMs)
  const isArmed = state.hints.armed?.key === 'stop' && state.hints.armed.until > now
  if (long.length > 0 && !isArmed) {
    state.hints.armed = { key: 'stop', until: now + armedMs }
    const [first] = long
    const what = first && 'tool' in first ? first.tool : (first?.title ?? 'it')
    showHint(state, `press again to stop ${sanitizeText(what)}`, armedMs, 0)
    return
  }
  state.hints.armed = undefined
  showHint(state, stopping, armedMs)
  void sendCommand(state, { type: 'interrupt' })
}

/**
 * Removes the hint that work is stopping once the work has stopped. Called after every change of the view.
 */
export function endStopHint(state: InlineState): void {
  if (state.hints.hint?.text === stopping && !hasRun(state.conversation.view) && !state.screen.verb)
    state.hints.hint = undefined
}

/**
 * Clears the editor, closes the menu, cancels a pending leave, stops work, or leaves; the first that applies.
 * While work is stopping, it leaves at the second key instead of stopping again. A stop does not count as the
 * first of the two leave keys.
 */
export function clearOrLeave(state: InlineState): void {
  if (!state.composer.editor.isEmpty()) clearEditor(state)
  else if (state.composer.menu) state.composer.menu = undefined
  else if (state.screen.leaving) stayHere(state)
  else if (!leavesStopping(state) && !stopWork(state)) leaveAtSecondKey(state)
}

/**
 * While a run has not ended and the hint about its stop is shown, the first key shows another hint. A second
 * key within two seconds leaves. Returns false if the key does neither.
 */
function leavesStopping(state: InlineState): boolean {
  const { hint, armed } = state.hints
  const now = Date.now()
  if (!hasRun(state.conversation.view)) return false
  if (armed?.key === 'leave' && armed.until > now) state.screen.leave(0)
  else if (hint?.text === stopping) {
    state.hints.armed = { key: 'leave', until: now + armedMs }
    showHint(state, 'press again to leave', armedMs, 0)
  } else return false
  return true
}

/**
 * Leaves when the key is pressed a second time within two seconds. If work would end, the user decides first.
 * During a handoff, the key ends the wait for it instead.
 */
function leaveAtSecondKey(state: InlineState): void {
  const now = Date.now()
  if (state.screen.leaving?.kind === 'hand_over') state.screen.leaving.hurry.abort()
  else if (isBusy(state)) askLeaving(state)
  else if (state.hints.armed?.key === 'leave' && state.hints.armed.until > now) state.screen.leave(0)
  else {
    state.hints.armed = { key: 'leave', until: now + armedMs }
    showHint(
      state,
      hasRun(state.conversation.view) ? 'press again to leave; the run continues' : 'press again to leave',
      armedMs,
      0,
    )
  }
}

/**
 * Leaves at once if no work would end, otherwise asks the user. While a run continues in another process, it
 * only leaves at a second key.
 */
export function leaveAtOnce(state: InlineState): void {
  if (hasRun(state.conversation.view)) leaveAtSecondKey(state)
  else quitSession(state)
}

/**
 * Leaves immediately if no work would end; otherwise asks the user. A run that waits to move to the
 * background moves now.
 */
export function quitSession(state: InlineState): void {
  if (state.screen.leaving?.kind === 'hand_over') state.screen.leaving.hurry.abort()
  else if (isBusy(state)) askLeaving(state)
  else state.screen.leave(0)
}

function askLeaving(state: InlineState): void {
  const {
    conversation: { client, view },
  } = state
  const canGoOn = client.handOver !== undefined && view.run !== undefined
  const answers = [
    // The keys that opened the question also confirm it.
    { key: 's', also: ['ctrl-d', 'ctrl-c'], label: 'stop all and leave' },
    { key: 'w', label: 'leave when it is done' },
    ...(canGoOn ? [{ key: 'd', label: 'leave it running' }] : []),
  ]
  const lines = [...busyLines(state), ...(canGoOn ? lostLines(state) : [])]
  askChoice(state, { title: 'Leave while this runs', lines, answers }, (key) => {
    if (key === 's') state.screen.leave(0)
    else if (key === 'd') void handOver(state)
    else {
      state.screen.leaving = { kind: 'when_done' }
      leaveWhenDone(state)
    }
  })
}

/**
 * Lets the run continue in the background and leaves. If that is refused, the screen stays and
 * shows the reason.
 */
async function handOver(state: InlineState): Promise<void> {
  const stay = new AbortController()
  const hurry = new AbortController()
  const pending = { kind: 'hand_over', stay, hurry } as const
  state.screen.leaving = pending
  leaveWhenDone(state)
  const reply = await state.conversation.client.handOver?.({ stay: stay.signal, hurry: hurry.signal })
  switch (reply?.kind) {
    case 'handed_over':
    case 'ended':
      return state.screen.leave(0)
    case 'refused': {
      const hint = reply.hint === undefined ? '' : `; ${reply.hint}`
      state.hints.notes.push(
        drawNotice({ text: `not left: ${reply.message}${hint}`, tone: 'warning' }, state.display.look),
      )
      state.hints.hint = undefined
      state.screen.changed(true)
    }
  }
  if (state.screen.leaving === pending) state.screen.leaving = undefined
}

function stayHere(state: InlineState): void {
  const {
    screen: { leaving },
    conversation: { view },
  } = state
  // A run that has moved to another process cannot return, so the user cannot stay.
  if (leaving?.kind === 'hand_over' && !view.run) return
  if (leaving?.kind === 'hand_over') leaving.stay.abort()
  else state.screen.leaving = undefined
  showHint(state, 'stays', armedMs)
}

/**
 * Leaves if the user wants to leave after all work and the work has ended. While the user still waits for
 * that, or for a run that moves to the background, shows a hint. Called after every change of the view.
 */
export function leaveWhenDone(state: InlineState): void {
  const {
    screen: { leaving },
  } = state
  if (leaving?.kind === 'when_done') {
    if (isBusy(state)) showHint(state, 'leaves when it is done; Esc stays', Number.POSITIVE_INFINITY)
    else state.screen.leave(0)
  } else if (leaving?.kind === 'hand_over' && !leaving.stay.signal.aborted)
    showHint(state, describeHandOver(state), Number.POSITIVE_INFINITY)
}

function describeHandOver(state: InlineState): string {
  if (!state.conversation.view.run) return 'the run continues in the background'
  const step = nameStep(state)
  return `leaves it running after ${step}; Esc stays, Ctrl-D interrupts ${step}`
}
