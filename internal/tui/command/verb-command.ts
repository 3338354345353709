// The session commands that run another command of Anode and print its output as it arrives.
import { countNoun } from '../../base/text/count-noun.ts'
import { drawMarkdown } from '../../render/markdown/markdown.ts'
import { type InlineState, showFailure, showHint } from '../inline/inline-state.ts'
import { watchBoards } from '../inline/watch-boards.ts'
import { cleanPaste } from '../input/paste.ts'
import { readTypedPath } from '../input/typed-path.ts'
import { type VerbCommand, verbWords } from '../input/verb-words.ts'
import { indentLines, margin, narrowLook, penOfLook } from '../view/look-pen.ts'
import type { BuildHost, ReadVerb } from './build-command.ts'
import { inlineCommandScreen } from './inline-command-screen.ts'

/**
 * Largest number of printed lines of a command, without its rendered report. Further lines are only counted.
 */
const maxLines = 400
/**
 * Largest number of characters of a report that the session renders; the rest is cut. The same command in a
 * shell prints the whole report.
 */
const maxReport = 200_000

export async function runVerbCommand(state: InlineState, name: VerbCommand, argument: string): Promise<void> {
  const {
    conversation: { view },
  } = state
  const typed =
    name === 'export' && argument !== '' ? readTypedPath(argument, state.screen.io.env.HOME) : argument
  const words = verbWords(name, typed, view)
  if (typeof words === 'string') return showHint(state, words)
  return printVerb(state, name, words)
}

/** Returns the hint that another command still runs. */
export const stillRuns = ({ name }: { name: string }) => `/${name} still runs; Esc stops it`

/** Returns true if a command can start now. Otherwise shows a hint and returns false. */
function canStart(state: InlineState, name: VerbCommand): boolean {
  const { service, verb } = state.screen
  if (!service.runVerb) showHint(state, `/${name} works only where the session runs`)
  else if (verb) showHint(state, stillRuns(verb))
  return service.runVerb !== undefined && !verb
}

async function printVerb(state: InlineState, name: VerbCommand, words: readonly string[]): Promise<void> {
  const { screen } = state
  const { service } = screen
  if (!canStart(state, name) || !service.runVerb) return
  const stop = new AbortController()
  state.screen.verb = { name, since: Date.now(), stop }
  const printer = openPrinter(state, name)
  watchBoards(state)
  screen.changed(true)
  try {
    const columns = Math.max(20, state.display.look.width - 2)
    const { exit } = await service.runVerb(words, { columns, signal: stop.signal, output: printer.add })
    const isDone = exit === 0 && !stop.signal.aborted
    // A command that succeeds without output gets a line that reports its success.
    const remark = name === 'export' ? `the thread is written to ${words[4]}` : `/${name} is done`
    if (isDone) printer.end(printer.isSilent() ? remark : undefined)
    else printer.end(stop.signal.aborted ? 'stopped' : `ended with exit code ${exit}`)
  } catch (error) {
    printer.end(error instanceof Error ? error.message : String(error))
  } finally {
    state.screen.verb = undefined
    watchBoards(state)
    screen.changed(true)
  }
}

/** Commands whose standard output is Markdown, which is rendered when it is complete. */
const reports: ReadonlySet<VerbCommand> = new Set(['study', 'review'])

interface VerbPrinter {
  add(text: string, stream: 'stdout' | 'stderr'): void
  isSilent(): boolean
  end(how: string | undefined): void
}

/**
 * Opens a printer that prints only whole lines (an unfinished one at the end) and removes all control
 * sequences. A report is rendered at its end.
 */
function openPrinter(state: InlineState, name: VerbCommand): VerbPrinter {
  const open = { stdout: '', stderr: '' }
  let count = 0
  const print = (lines: readonly string[]) => {
    const pen = penOfLook(state.display.look)
    const room = Math.max(0, maxLines - count)
    count += lines.length
    const rows = lines
      .slice(0, room)
      .flatMap((line) => pen.wrap(cleanPaste(line), state.display.look.width - 1))
    if (rows.length > 0) state.hints.notes.push(indentLines(rows))
    state.screen.changed()
  }
  const isReport = reports.has(name)
  return {
    add(text, stream) {
      const lines = (open[stream] + text).split('\n')
      const isKept = isReport && stream === 'stdout'
      open[stream] = isKept ? lines.join('\n').slice(0, maxReport) : (lines.pop() ?? '')
      if (!isKept && lines.length > 0) print(lines)
    },
    isSilent: () => count === 0 && open.stdout === '' && open.stderr === '',
    end(how) {
      if (open.stderr !== '') print([open.stderr])
      if (isReport && open.stdout.trim() !== '')
        state.hints.notes.push(indentLines(drawMarkdown(open.stdout, narrowLook(state.display.look, margin))))
      else if (open.stdout !== '') print([open.stdout])
      const more = count > maxLines ? [countNoun(count - maxLines, 'more line')] : []
      const notes = [...more, ...(how === undefined ? [] : [how])]
      const dim = penOfLook(state.display.look).paint({ dim: true })
      if (notes.length > 0) state.hints.notes.push(notes.map((line) => ` ${dim(line)}`))
    },
  }
}

/**
 * Runs a command and returns its output. Returns undefined if another command is running, or if the service
 * cannot run commands. Then shows the reason as a hint.
 */
async function readVerb(
  state: InlineState,
  name: VerbCommand,
  words: readonly string[],
): Promise<ReadVerb | undefined> {
  const { screen } = state
  const { service } = screen
  if (!canStart(state, name) || !service.runVerb) return undefined
  const stop = new AbortController()
  const text = { stdout: '', stderr: '' }
  screen.verb = { name, since: Date.now(), stop }
  screen.changed(true)
  try {
    const output = (part: string, stream: 'stdout' | 'stderr') => {
      text[stream] += part
    }
    const columns = Math.max(20, state.display.look.width - 2)
    const { exit } = await service.runVerb(words, { columns, signal: stop.signal, output })
    return { ...text, exit: stop.signal.aborted ? null : exit }
  } finally {
    screen.verb = undefined
    screen.changed(true)
  }
}

/** Returns the parts of the screen that `/build` uses. */
export function inlineBuildHost(state: InlineState): BuildHost {
  return {
    screen: inlineCommandScreen(state),
    print: (words) => printVerb(state, 'build', words),
    read: (words) => readVerb(state, 'build', words),
    async edit(text) {
      const { io } = state.screen
      let edited: string | undefined
      try {
        await state.screen.lend(async () => {
          edited = await io.editText?.(text)
        })
        if (edited === undefined) showHint(state, 'the editor failed; the plan is unchanged')
      } catch (error) {
        showFailure(state, error)
      }
      return edited
    },
  }
}
