// `anode attach`: the session's screen on a run that goes on in a process of its own.
import { UserError } from '../../../internal/base/errors.ts'
import { withDataStore } from '../../../internal/runtime/workspace/data-store.ts'
import { joinRunService } from '../../../internal/service/runs/joined-service.ts'
import { isRunAtWork } from '../../../internal/service/runs/run-access.ts'
import { readRunEvents } from '../../../internal/service/runs/run-events.ts'
import { createRunPrinter } from '../../../internal/tui/plain/run-printer.ts'
import { openSessionScreen } from '../../../internal/tui/session-screen.ts'
import { exitCodes } from '../exit-codes.ts'
import { endByHangup } from '../io/hangup.ts'
import { writeText } from '../io/streams.ts'
import { session } from '../session/index.ts'
import { openSessionIo, screenOptions } from '../session/start-session.ts'
import { findAgentThread } from '../threads/thread-access.ts'
import { type CommandArgs, type CommandIo, type CommandOption, flagArg, type Verb } from '../verb.ts'
import { findRun, runPlace } from './run-place.ts'

export const attach: Verb = {
  name: 'attach',
  summary: 'Join a run on this terminal: look, answer, steer; Ctrl-D leaves, and the run goes on',
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
    endByHangup()
    const goesOn = await isRunAtWork(env, place.thread)
    io.stderr.write(goesOn ? `anode attach ${place.thread}  goes on\n` : `anode --resume ${place.thread}\n`)
    return exit
  } finally {
    await service.close()
    // a terminal that is still read would keep the process
    io.stdin.unref?.()
  }
}

const endCodes: Readonly<Record<string, number>> = {
  done: exitCodes.done,
  partial: exitCodes.limit,
  limit: exitCodes.limit,
  cancelled: exitCodes.interrupted,
}

/** Without a terminal: what has been said and done, and what comes, until nothing goes on. */
async function printRun(args: CommandArgs, io: CommandIo, isStream: boolean): Promise<number> {
  const { thread } = await findPlace(args, io)
  const printer = createRunPrinter(thread)
  for await (const event of readRunEvents(io.env, thread, io.signal)) {
    const { lines, notes } = printer.take(event)
    if (isStream) await writeText(io.stdout, `${JSON.stringify(event)}\n`)
    else if (lines.length > 0) await writeText(io.stdout, `${lines.join('\n')}\n`)
    for (const note of notes) io.stderr.write(`${note}\n`)
    if (printer.isOver()) break
  }
  const end = printer.end()
  return end === undefined ? exitCodes.failed : (endCodes[end] ?? exitCodes.failed)
}

/** A thread that was never a run becomes one. */
async function findPlace(args: CommandArgs, io: CommandIo): Promise<{ thread: string; workspace: string }> {
  const name = args.RUN === undefined ? 'last' : String(args.RUN)
  const run = await findRun(name, io)
  if (run) return run
  if (name === 'last')
    throw new UserError('there is no run yet', { hint: '`anode runs start "…"` begins one' })
  const { id: thread, workspace } = await withDataStore(io.env, (store) =>
    findAgentThread(store, name, io.cwd),
  )
  return { thread, workspace }
}
