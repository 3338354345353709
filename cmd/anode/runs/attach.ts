// The command `anode attach`, which opens the session's screen for a run in another process, or without a
// terminal prints the run.
import { UserError } from '../../../internal/base/errors.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { withDataStore } from '../../../internal/runtime/workspace/data-store.ts'
import { joinRunService } from '../../../internal/service/runs/joined-service.ts'
import { isRunAtWork } from '../../../internal/service/runs/run-access.ts'
import { readRunEvents } from '../../../internal/service/runs/run-events.ts'
import type { UserWaits } from '../../../internal/session/snapshot.ts'
import type { SessionView } from '../../../internal/session/view/session-view.ts'
import { logLook } from '../../../internal/tui/run-view/plain-look.ts'
import { openRunView } from '../../../internal/tui/run-view/run-view.ts'
import { openSessionScreen } from '../../../internal/tui/session-screen.ts'
import { exitCodes } from '../exit-codes.ts'
import { writeText } from '../io/streams.ts'
import { session } from '../session/index.ts'
import { openSessionIo, screenOptions } from '../session/start-session.ts'
import { findAgentThread } from '../threads/thread-access.ts'
import { type CommandArgs, type CommandIo, type CommandOption, flagArg, type Verb } from '../verb.ts'
import { findRun, runPlace } from './run-place.ts'

export const attach: Verb = {
  name: 'attach',
  summary: 'Join a run on this terminal: watch, answer, steer; Ctrl-D leaves, and the run continues',
  usage: 'attach [RUN] [flags]',
  positionals: [{ name: 'RUN', describe: 'Id, unique prefix of one, or last (which is usual)' }],
  options: {
    screen: session.options.screen as CommandOption,
    'stream-json': { type: 'boolean', describe: 'Print every event as one JSON object a line, to the end' },
  },
  examples: [
    ['anode attach', 'The newest run of this workspace'],
    ['anode attach last | tee log.txt', 'Without a terminal: what happens, line by line, until it ends'],
  ],
  run: joinRun,
}

async function joinRun(args: CommandArgs, io: CommandIo): Promise<number> {
  const isStream = flagArg(args, 'stream-json')
  if (isStream || io.stdin.isTTY !== true || !io.stdout.isTTY) return printRun(args, io, isStream)
  const { env, signal } = io
  const place = await findPlace(args, io)
  const service = await joinRunService({ ...place, env }, runPlace(io))
  try {
    const options = screenOptions(args, io, service)
    const client = await service.openSession({ kind: 'resume', thread: place.thread }, {})
    const screen = await openSessionScreen(client, service, openSessionIo(io, service), {
      ...options,
      notes: [],
    })
    const code = await screen.run()
    const exit = signal.aborted ? Number(process.exitCode ?? code) : code
    const goesOn = await isRunAtWork(env, place.thread)
    io.stderr.write(
      goesOn ? `anode attach ${place.thread}  still running\n` : `anode --resume ${place.thread}\n`,
    )
    return exit
  } finally {
    await service.close()
    // An open read of the terminal would prevent the process from ending.
    io.stdin.unref?.()
  }
}

const endCodes: Readonly<Record<string, number>> = {
  done: exitCodes.done,
  partial: exitCodes.limit,
  limit: exitCodes.limit,
  cancelled: exitCodes.interrupted,
}

/**
 * Prints a run without a screen: the stored messages and calls, then new ones until the run ends. With
 * `isStream`, prints every event as JSON. Returns an exit code for the end of the run: 1 for a failed run, or
 * if the end is unknown; that of the signal after an interruption.
 */
async function printRun(args: CommandArgs, io: CommandIo, isStream: boolean): Promise<number> {
  const { thread } = await findPlace(args, io)
  const run = openRunView(logLook(logWidth), thread)
  const notedCalls = new Set<string>()
  let isCurrent = false
  for await (const event of readRunEvents(io.env, thread, io.signal)) {
    const { lines } = run.take(event)
    isCurrent ||= event.type === 'session.snapshot'
    if (isStream) await writeText(io.stdout, `${JSON.stringify(event)}\n`)
    else if (lines.length > 0) await writeText(io.stdout, `${lines.join('\n')}\n`)
    if (isCurrent) for (const note of describeWaits(run.view, notedCalls)) io.stderr.write(`${note}\n`)
    if (isCurrent && !run.view.run && run.view.queue.length === 0 && endOf(run.view) !== undefined) break
  }
  const end = endOf(run.view)
  if (io.signal.aborted && end === undefined) return Number(process.exitCode ?? exitCodes.interrupted)
  return end === undefined ? exitCodes.failed : (endCodes[end] ?? exitCodes.failed)
}

const logWidth = 100

/** Returns how the last run ended; undefined if the last block of the view is not the end of a run. */
function endOf({ blocks }: SessionView): string | undefined {
  const block = blocks.at(-1)
  return block?.kind === 'end' ? block.end : undefined
}

/**
 * Returns a line for each call and question that waits for an answer and whose call is not yet in
 * `notedCalls`. Adds the call to `notedCalls`, so that the line is printed only once.
 */
function describeWaits({ waits, questions }: UserWaits, notedCalls: Set<string>): string[] {
  const waiting = [...waits, ...questions.map(({ call }) => ({ call, tool: 'a question' }))]
  return waiting.flatMap(({ call, tool }) => {
    if (notedCalls.has(call)) return []
    notedCalls.add(call)
    return [`${sanitizeText(tool)} waits for an answer: \`anode attach\` on a terminal`]
  })
}

/**
 * Returns the thread and workspace of a run. For the name of a thread without a run, returns those of the
 * thread. Throws UserError for an unknown or ambiguous name, and for `last` without any run.
 */
async function findPlace(args: CommandArgs, io: CommandIo): Promise<{ thread: string; workspace: string }> {
  const name = args.RUN === undefined ? 'last' : String(args.RUN)
  const run = await findRun(name, io)
  if (run) return run
  if (name === 'last') throw new UserError('no runs yet', { hint: '`anode runs start "…"` begins one' })
  const { id: thread, workspace } = await withDataStore(io.env, (store) =>
    findAgentThread(store, name, io.cwd),
  )
  return { thread, workspace }
}
