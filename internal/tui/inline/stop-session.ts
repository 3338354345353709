// The keys that stop and leave: what they do now, and what has to be asked before somebody leaves.
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { rewindThread } from '../command/undo-command.ts'
import { formatDuration } from '../duration.ts'
import { expandPastes } from '../input/paste.ts'
import type { SourceLine } from '../terminal/rows.ts'
import { clearEditor } from './clear-editor.ts'
import { askChoice } from './dialogs.ts'
import { armedMs, type InlineState, showHint } from './inline-state.ts'
import { sendCommand } from './send-command.ts'

const stopping = 'stopping'

/** A call that has run for so long is not stopped by one key. */
const longCallMs = 10_000

export function goBack(state: InlineState): void {
  if (state.menu) {
    state.menu = undefined
  } else if (state.isLeavingLater) {
    state.isLeavingLater = false
    showHint(state, 'stays', armedMs)
  } else if (state.view.run || state.view.calls.length > 0 || state.sending) stopRun(state)
  else if (state.verb) state.verb.stop.abort(new Error('stopped'))
  else if (state.editor.isEmpty()) goBackTwice(state)
}

/** To one of the own messages, at the second key. */
function goBackTwice(state: InlineState): void {
  const now = Date.now()
  if (state.armed?.key === 'rewind' && state.armed.until > now) {
    state.armed = undefined
    rewindThread(state)
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
  if (!state.editor.isEmpty()) clearEditor(state, expandPastes(state.pastes, state.editor.text()))
  else if (state.menu) state.menu = undefined
  else if (state.view.run) stopRun(state)
  else if (state.verb) state.verb.stop.abort(new Error('stopped'))
  else leaveSession(state)
}

const isBusy = ({ view, verb }: InlineState) =>
  view.run !== undefined || view.calls.length > 0 || view.jobs.length > 0 || verb !== undefined

/** At the second key within two seconds; while something goes on it is asked what becomes of that. */
export function leaveSession(state: InlineState): void {
  const now = Date.now()
  if (isBusy(state)) askLeaving(state)
  else if (state.armed?.key === 'leave' && state.armed.until > now) state.screen.leave(0)
  else {
    state.armed = { key: 'leave', until: now + armedMs }
    showHint(state, 'again to leave', armedMs)
  }
}

/** Leaves at once where nothing goes on. */
export function quitSession(state: InlineState): void {
  if (isBusy(state)) askLeaving(state)
  else state.screen.leave(0)
}

function askLeaving(state: InlineState): void {
  const answers = [
    { key: 's', label: 'stop all and leave' },
    { key: 'w', label: 'leave when it is done' },
  ]
  askChoice(state, { title: 'Leave while this goes on', lines: busyLines(state), answers }, (key) => {
    if (key === 's') state.screen.leave(0)
    else {
      state.isLeavingLater = true
      leaveWhenDone(state)
    }
  })
}

function busyLines({ view, verb }: InlineState): SourceLine[] {
  const now = Date.now()
  const lines = [
    ...(view.run ? [`a run, ${formatDuration(now - view.run.since)}`] : []),
    ...view.children.map(({ title }) => `an agent: ${title}`),
    ...view.calls.filter(({ byPerson }) => byPerson).map(({ tool }) => `${tool}, called by you`),
    ...view.jobs.map(({ command }) => `in the background: ${command}`),
    ...(verb ? [`/${verb.name}`] : []),
  ]
  return lines.map((text) => ({ text: sanitizeText(text) }))
}

/** Looked at whenever something has changed; what waits for an answer goes on waiting. */
export function leaveWhenDone(state: InlineState): void {
  if (!state.isLeavingLater) return
  if (isBusy(state)) showHint(state, 'leaves when it is done; Esc stays')
  else state.screen.leave(0)
}
