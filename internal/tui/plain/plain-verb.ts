// Other commands of Anode on the plain screen, whose output is printed as it arrives.
import { messageOf } from '../../base/errors.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { BuildHost, ReadVerb } from '../command/build-command.ts'
import { type VerbCommand, verbWords } from '../input/verb-words.ts'
import { plainCommandScreen } from './plain-command-screen.ts'
import { leaveWhenDone } from './plain-leave.ts'
import { describeFailure, type PlainState } from './plain-state.ts'

/**
 * Starts another command and returns immediately, so that typed lines go to the session. Ctrl-C and `/stop`
 * end the command.
 */
export function startPlainVerb(state: PlainState, name: VerbCommand, argument: string): void {
  const words = verbWords(name, argument, state.conversation.view)
  if (typeof words === 'string') state.printer.print([words])
  else startWords(state, name, words)
}

/**
 * Starts the command with these arguments. If another one is running, or the service cannot run commands,
 * prints that instead.
 */
function startWords(state: PlainState, name: VerbCommand, words: readonly string[]): void {
  const { runVerb } = state.screen.service
  if (canStart(state, name) && runVerb) void followVerb(state, name, words, runVerb)
}

/** Returns true if a command can start now. Otherwise prints a line with the reason and returns false. */
function canStart({ screen: { service, verb }, printer }: PlainState, name: VerbCommand): boolean {
  if (!service.runVerb) printer.print([`/${name} works only where the session runs`])
  else if (verb) printer.print([`/${verb.name} still runs; /stop ends it`])
  return service.runVerb !== undefined && !verb
}

/** Returns the parts of the screen that `/build` uses. */
export function plainBuildHost(state: PlainState): BuildHost {
  return {
    screen: plainCommandScreen(state),
    print: async (words) => startWords(state, 'build', words),
    read: (words) => readVerb(state, words),
    async edit(text) {
      let edited: string | undefined
      try {
        await state.screen.lend(async () => {
          edited = await state.screen.io.editText?.(text)
        })
        if (edited === undefined) state.printer.print(['the editor failed; the plan is unchanged'])
      } catch (error) {
        state.printer.print([describeFailure(error)])
      }
      return edited
    },
  }
}

/**
 * Runs a command and returns its output. Returns undefined if another command is running, or if the service
 * cannot run commands. Then prints the reason.
 */
async function readVerb(state: PlainState, words: readonly string[]): Promise<ReadVerb | undefined> {
  const { runVerb } = state.screen.service
  if (!canStart(state, 'build') || !runVerb) return undefined
  const stop = new AbortController()
  const text = { stdout: '', stderr: '' }
  state.screen.verb = { name: 'build', stop }
  try {
    const output = (part: string, stream: 'stdout' | 'stderr') => {
      text[stream] += part
    }
    const columns = Math.max(20, state.printer.width() - 1)
    const { exit } = await runVerb(words, { columns, signal: stop.signal, output })
    return { ...text, exit: stop.signal.aborted ? null : exit }
  } finally {
    state.screen.verb = undefined
    leaveWhenDone(state)
  }
}

/** Runs the command, and prints its output as it arrives and how it ended. Never rejects. */
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
