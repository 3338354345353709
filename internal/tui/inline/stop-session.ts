// The keys that stop and leave: what they do now, and what has to be asked before somebody leaves.
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { inlineCommandScreen } from '../command/inline-command-screen.ts'
import { rewindThread } from '../command/undo-command.ts'
import { clearEditor } from '../input/editor-text.ts'
import type { SourceLine } from '../terminal/rows.ts'
import { drawNotice } from '../view/run-end.ts'
import { busyLines, hasRun, isBusy } from './busy-session.ts'
import { askChoice } from './dialogs.ts'
import { armedMs, type InlineState, showHint } from './inline-state.ts'
import { sendCommand } from './send-command.ts'

const stopping = 'stopping'

/** A call that has run for so long is not stopped by one key. */
const longCallMs = 10_000

export function goBack(state: InlineState): void {
  if (state.menu) {
    state.menu = undefined
  } else if (state.leaving) stayHere(state)
  else if (state.view.run || state.view.calls.length > 0 || state.sending) stopRun(state)
  else if (state.verb) state.verb.stop.abort(new Error('stopped'))
  else if (state.editor.isEmpty()) goBackTwice(state)
}

/** To one of the own messages, at the second key. */
function goBackTwice(state: InlineState): void {
  const now = Date.now()
  if (state.armed?.key === 'rewind' && state.armed.until > now) {
    state.armed = undefined
    rewindThread(inlineCommandScreen(state))
  } else {
    state.armed = { key: 'rewind', until: now + armedMs }
    showHint(state, 'again to go back to one of your messages', armedMs)
  }
}

function stopRun(state: InlineState): void {
  const now = Date.now()
  const { calls, children } = state.view
  const long = [...calls, ...children].filter(({ since }) => now - since >= longCallMs)
  const isArmed = state.armed?.key === 'stop' && state.armed.until > now
  if (long.length > 0 && !isArmed) {
    state.armed = { key: 'stop', until: now + armedMs }
    const [first] = long
    const what = first && 'tool' in first ? first.tool : (first?.title ?? 'it')
    showHint(state, `again to stop ${sanitizeText(what)}`, armedMs)
    return
  }
  state.armed = undefined
  showHint(state, stopping, armedMs)
  void sendCommand(state, { type: 'interrupt' })
}

/** Looked at whenever something has changed: what has stopped is stopping no more. */
export function endStopHint(state: InlineState): void {
  if (state.hint?.text === stopping && !state.view.run && state.view.calls.length === 0)
    state.hint = undefined
}

/** A stop never counts as the first of two. */
export function clearOrLeave(state: InlineState): void {
  if (!state.editor.isEmpty()) clearEditor(state)
  else if (state.menu) state.menu = undefined
  else if (state.leaving) stayHere(state)
  else if (state.view.run) stopRun(state)
  else if (state.verb) state.verb.stop.abort(new Error('stopped'))
  else leaveSession(state)
}

/** At the second key within two seconds; while something goes on it is asked what becomes of that. */
export function leaveSession(state: InlineState): void {
  const now = Date.now()
  if (state.leaving?.kind === 'hand_over') state.leaving.hurry.abort()
  else if (isBusy(state)) askLeaving(state)
  else if (state.armed?.key === 'leave' && state.armed.until > now) state.screen.leave(0)
  else {
    state.armed = { key: 'leave', until: now + armedMs }
    showHint(state, hasRun(state.view) ? 'again to leave; the run goes on' : 'again to leave', armedMs)
  }
}

/** Leaves at once where nothing goes on. */
export function quitSession(state: InlineState): void {
  if (state.leaving?.kind === 'hand_over') state.leaving.hurry.abort()
  else if (isBusy(state)) askLeaving(state)
  else state.screen.leave(0)
}

function askLeaving(state: InlineState): void {
  const { client, view } = state
  const canGoOn = client.handOver !== undefined && view.run !== undefined
  const answers = [
    { key: 's', label: 'stop all and leave' },
    { key: 'w', label: 'leave when it is done' },
    ...(canGoOn ? [{ key: 'd', label: 'leave it running' }] : []),
  ]
  const lines = [...busyLines(state), ...(canGoOn ? lostLines(state) : [])]
  askChoice(state, { title: 'Leave while this goes on', lines, answers }, (key) => {
    if (key === 's') state.screen.leave(0)
    else if (key === 'd') void handOver(state)
    else {
      state.leaving = { kind: 'when_done' }
      leaveWhenDone(state)
    }
  })
}

/** What belongs to this process cannot go on without it. */
function lostLines({ view, verb }: InlineState): SourceLine[] {
  const calls = view.calls.filter(({ byPerson }) => byPerson).map(({ tool }) => tool)
  const lost = [...calls, ...view.jobs.map(({ command }) => command), ...(verb ? [`/${verb.name}`] : [])]
  return lost.length === 0
    ? []
    : [{ text: sanitizeText(`d keeps the run alone; it ends: ${lost.join(', ')}`) }]
}

/** The run goes on in a process of its own, and the screen is left; or it says why not. */
async function handOver(state: InlineState): Promise<void> {
  const [stay, hurry] = [new AbortController(), new AbortController()]
  const pending = { kind: 'hand_over', stay, hurry } as const
  state.leaving = pending
  leaveWhenDone(state)
  const reply = await state.client.handOver?.({ stay: stay.signal, hurry: hurry.signal })
  switch (reply?.kind) {
    case 'handed_over':
    case 'ended':
      return state.screen.leave(0)
    case 'refused': {
      const hint = reply.hint === undefined ? '' : `; ${reply.hint}`
      state.notes.push(drawNotice({ text: `not left: ${reply.message}${hint}`, tone: 'warning' }, state.look))
      state.hint = undefined
      state.screen.changed(true)
    }
  }
  if (state.leaving === pending) state.leaving = undefined
}

function stayHere(state: InlineState): void {
  const { leaving, view } = state
  // what has left does not come back
  if (leaving?.kind === 'hand_over' && !view.run) return
  if (leaving?.kind === 'hand_over') leaving.stay.abort()
  else state.leaving = undefined
  showHint(state, 'stays', armedMs)
}

/** Looked at whenever something has changed; what waits for an answer goes on waiting. */
export function leaveWhenDone(state: InlineState): void {
  const { leaving } = state
  if (leaving?.kind === 'when_done') {
    if (isBusy(state)) showHint(state, 'leaves when it is done; Esc stays', Number.POSITIVE_INFINITY)
    else state.screen.leave(0)
  } else if (leaving?.kind === 'hand_over' && !leaving.stay.signal.aborted)
    showHint(state, describeHandOver(state), Number.POSITIVE_INFINITY)
}

const describeHandOver = (state: InlineState) =>
  state.view.run
    ? `leaves it running after ${nameStep(state)}; Esc stays, Ctrl-D at once`
    : 'the run leaves; it goes on in a process of its own'

/** What of the run is open now. */
function nameStep({ view }: InlineState): string {
  const tools = [...new Set(view.calls.filter(({ byPerson }) => !byPerson).map(({ tool }) => tool))]
  if (tools.length > 2) return 'these calls'
  return tools.length > 0 ? sanitizeText(tools.join(' and ')) : 'this reply'
}
