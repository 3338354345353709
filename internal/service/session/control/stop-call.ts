// Ends one thing of a session while the rest goes on: a call, a child agent, a command in the background.
import type { CommandReply } from '../../../session/client.ts'
import type { RunningCall } from '../../../session/snapshot.ts'
import { acceptCommand, type SessionState } from '../session-state.ts'

/** `name`: a call, the thread of a child agent, or a job. The model is told that it was a person. */
export async function stopCall(state: SessionState, name: string): Promise<CommandReply> {
  const running = state.view.calls.find(({ call }) => call === callOf(state, name))
  const stop = running && state.stops.get(running.call)
  if (running && stop) {
    if (!running.byPerson) state.notes.push(noteOf(running))
    stop.abort(new Error('the person has stopped it'))
    return acceptCommand(state)
  }
  const job = state.jobs.opened?.find(name)
  if (!job?.running) return { ok: false, code: 'not_found', message: 'this does not go on any more' }
  // its end is on record once nothing of it is left, which takes seconds
  void state.jobs.opened?.stop(name)
  return acceptCommand(state)
}

/** The call that has started a child agent. */
function callOf({ view }: SessionState, name: string): string {
  const block = view.blocks.findLast((one) => one.kind === 'call' && one.child === name)
  return block?.kind === 'call' ? block.id : name
}

const noteOf = ({ tool }: RunningCall) =>
  `[the person has stopped the call of ${tool}; what it had done until then stays. Do not repeat it unasked.]`
