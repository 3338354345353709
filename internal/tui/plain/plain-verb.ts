// Other commands of the program on the plain screen, with output printed as it arrives.
import { messageOf } from '../../base/errors.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { type VerbCommand, verbWords } from '../input/verb-words.ts'
import { leaveWhenDone } from './plain-leave.ts'
import type { PlainState } from './plain-state.ts'

/**
 * Starts the command and returns immediately, so that typed lines go to the session. Ctrl-C and
 * `/stop` end it.
 */
export function startPlainVerb(state: PlainState, name: VerbCommand, argument: string): void {
  const words = verbWords(name, argument, state.conversation.view)
  if (!state.screen.service.runVerb) state.printer.print([`/${name} works only where the session runs`])
  else if (state.screen.verb) state.printer.print([`/${state.screen.verb.name} still runs; /stop ends it`])
  else if (typeof words === 'string') state.printer.print([words])
  else void followVerb(state, name, words, state.screen.service.runVerb)
}

/** Runs the command and prints its errors. Never rejects. */
async function followVerb(
  state: PlainState,
  name: string,
  words: readonly string[],
  runVerb: NonNullable<PlainState['screen']['service']['runVerb']>,
): Promise<void> {
  const stop = new AbortController()
  state.screen.verb = { name, stop }
  const print = (lines: readonly string[]) => state.printer.print(lines.map((line) => sanitizeText(line)))
  const open = { stdout: '', stderr: '' }
  const output = (text: string, stream: 'stdout' | 'stderr') => {
    const lines = (open[stream] + text).split('\n')
    open[stream] = lines.pop() ?? ''
    if (lines.length > 0) print(lines)
  }
  let how = `/${name} is done`
  try {
    const columns = Math.max(20, state.printer.width() - 1)
    const { exit } = await runVerb(words, { columns, signal: stop.signal, output })
    if (exit !== 0) how = `/${name} ended with exit code ${exit}`
  } catch (error) {
    how = `/${name}: ${messageOf(error)}`
  }
  state.screen.verb = undefined
  const rest = Object.values(open).filter((line) => line !== '')
  print([...rest, stop.signal.aborted ? `/${name} was stopped` : how])
  leaveWhenDone(state)
}
