// Leaving the plain screen. If work is running, the user is asked first, and a run can continue
// in the background.
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { busyLines, isBusy, lostLines, nameStep } from '../inline/busy-session.ts'
import { openPlainChoice } from './plain-choice.ts'
import type { PlainState } from './plain-state.ts'

/**
 * Leaves if no work would end, otherwise asks the user. A run that waits to move to the background moves now.
 */
export function leavePlain(state: PlainState): void {
  if (state.screen.leaving?.kind === 'hand_over') state.screen.leaving.hurry.abort()
  else if (isBusy(state)) askLeaving(state)
  else state.screen.leave()
}

/** Handles Ctrl-D, which ends the input. A second Ctrl-D during the question leaves. */
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
  openPlainChoice(state, ['Leave while this runs:', ...lines], {
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

/** Leaves once no work is left, if the user has chosen to leave then. Called after every event. */
export function leaveWhenDone(state: PlainState): void {
  if (state.screen.leaving?.kind === 'when_done' && !isBusy(state)) state.screen.leave()
}

/**
 * Lets the run continue in the background and leaves. If that is refused, the screen stays and
 * prints the reason.
 */
async function handOver(state: PlainState): Promise<void> {
  const stay = new AbortController()
  const hurry = new AbortController()
  const pending = { kind: 'hand_over', stay, hurry } as const
  state.screen.leaving = pending
  const step = nameStep(state)
  state.printer.print([`leaves it running after ${step}; Ctrl-C stays, Ctrl-D interrupts ${step}`])
  const reply = await state.conversation.client.handOver?.({ stay: stay.signal, hurry: hurry.signal })
  if (reply?.kind === 'handed_over' || reply?.kind === 'ended') state.screen.leave()
  if (reply?.kind === 'refused') {
    const hint = reply.hint === undefined ? '' : `; ${reply.hint}`
    state.printer.print([sanitizeText(`not left: ${reply.message}${hint}`)])
  }
  if (reply?.kind !== 'handed_over' && state.screen.leaving === pending) state.screen.leaving = undefined
}

/**
 * Cancels a pending leave and prints that the screen stays; for a run that has already moved to the
 * background, prints that instead. Returns false if no leave is pending.
 */
export function stayHere(state: PlainState): boolean {
  const {
    screen: { leaving },
  } = state
  if (!leaving) return false
  if (leaving.kind === 'hand_over') leaving.stay.abort()
  else state.screen.leaving = undefined
  // A run that has moved to another process cannot return, so the text says where it is.
  state.printer.print([
    leaving.kind === 'hand_over' && !state.conversation.view.run
      ? 'the run has moved to the background'
      : 'stays',
  ])
  return true
}
