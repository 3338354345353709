// Leaving the plain screen: what goes on is asked about, and may go on in a process of its own.
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { busyLines, isBusy, lostLines, nameStep } from '../inline/busy-session.ts'
import { openPlainChoice } from './plain-choice.ts'
import type { PlainState } from './plain-state.ts'

/** At once where nothing goes on; a run that is about to leave waits no longer. */
export function leavePlain(state: PlainState): void {
  if (state.screen.leaving?.kind === 'hand_over') state.screen.leaving.hurry.abort()
  else if (isBusy(state)) askLeaving(state)
  else state.screen.leave()
}

/** The end of input, at Ctrl-D: who is asked what becomes of a run can say it once more. */
export function endInput(state: PlainState): void {
  if (state.prompt.choice?.isLeaving) state.screen.leave()
  else leavePlain(state)
}

function askLeaving(state: PlainState): void {
  const {
    conversation: { client, view },
  } = state
  const canGoOn = client.handOver !== undefined && view.run !== undefined
  const lines = [...busyLines(state), ...(canGoOn ? lostLines(state) : [])].map(({ text }) => text)
  const ways = [
    's stop all and leave, as Ctrl-D does now',
    'w leave when it is done',
    ...(canGoOn ? ['d leave it running'] : []),
  ]
  const acts: Readonly<Record<string, () => void>> = {
    s: state.screen.leave,
    w: () => leaveLater(state),
    ...(canGoOn && { d: () => void handOver(state) }),
  }
  openPlainChoice(state, ['Leave while this goes on:', ...lines], {
    ways: `answer with a letter: ${ways.join('  ')}; an empty line stays`,
    isLeaving: true,
    read: (line) => (Object.hasOwn(acts, line) ? acts[line] : undefined),
  })
}

function leaveLater(state: PlainState): void {
  state.screen.leaving = { kind: 'when_done' }
  state.printer.print(['leaves when it is done; Ctrl-C stays'])
  leaveWhenDone(state)
}

/** Looked at whenever something has changed. */
export function leaveWhenDone(state: PlainState): void {
  if (state.screen.leaving?.kind === 'when_done' && !isBusy(state)) state.screen.leave()
}

/** The run goes on in a process of its own, and the screen is left; or it says why not. */
async function handOver(state: PlainState): Promise<void> {
  const stay = new AbortController()
  const hurry = new AbortController()
  const pending = { kind: 'hand_over', stay, hurry } as const
  state.screen.leaving = pending
  state.printer.print([`leaves it running after ${nameStep(state)}; Ctrl-C stays, Ctrl-D leaves at once`])
  const reply = await state.conversation.client.handOver?.({ stay: stay.signal, hurry: hurry.signal })
  if (reply?.kind === 'handed_over' || reply?.kind === 'ended') state.screen.leave()
  if (reply?.kind === 'refused') {
    const hint = reply.hint === undefined ? '' : `; ${reply.hint}`
    state.printer.print([sanitizeText(`not left: ${reply.message}${hint}`)])
  }
  if (reply?.kind !== 'handed_over' && state.screen.leaving === pending) state.screen.leaving = undefined
}

/** Whether somebody was leaving, who stays now. */
export function stayHere(state: PlainState): boolean {
  const {
    screen: { leaving },
  } = state
  if (!leaving) return false
  if (leaving.kind === 'hand_over') leaving.stay.abort()
  else state.screen.leaving = undefined
  // what has left does not come back
  state.printer.print([
    leaving.kind === 'hand_over' && !state.conversation.view.run ? 'the run leaves already' : 'stays',
  ])
  return true
}
