// The start of a session on the terminal from parsed flags, and the resume command that is printed at the end
// of the session.
import { isatty, ReadStream } from 'node:tty'
import { dataDir } from '../../../internal/base/dirs.ts'
import { UserError } from '../../../internal/base/errors.ts'
import { withDataStore } from '../../../internal/runtime/workspace/data-store.ts'
import { filesOfSetting } from '../../../internal/runtime/workspace/setting-files.ts'
import { editOutside, readPicture, tellOutside } from '../../../internal/service/desktop/outside-text.ts'
import { keepSession } from '../../../internal/service/runs/background-session.ts'
import { isRunAtWork } from '../../../internal/service/runs/run-access.ts'
import type { RunPlaces } from '../../../internal/service/session/handover/hand-over.ts'
import { openLocalService, type ScreenSetup } from '../../../internal/service/session/local-service.ts'
import { readThreadTotals } from '../../../internal/service/threads/thread-totals.ts'
import type { SessionService, SessionSource } from '../../../internal/session/client.ts'
import { listDrafts } from '../../../internal/tui/input/draft.ts'
import { buildKeyMap } from '../../../internal/tui/input/key-map.ts'
import type { ScreenForm, SessionIo } from '../../../internal/tui/screen-options.ts'
import { openSessionScreen } from '../../../internal/tui/session-screen.ts'
import { execute } from '../execute/index.ts'
import { positiveArg, readAgentChoice, readApproval } from '../flags.ts'
import { takeInterrupts } from '../io/streams.ts'
import { findAgentThread } from '../threads/thread-access.ts'
import { type CommandArgs, type CommandIo, flagArg, listArg, stringArg } from '../verb.ts'
import { withPersonalVerbs } from './personal-verbs.ts'
import { openRunPlaces } from './run-places.ts'

/**
 * Starts a session and resolves to the exit code. If standard input or output is not a terminal, runs one
 * task instead. Rejects for errors in flags, threads, models and configuration before the screen opens.
 */
export async function startSession(args: CommandArgs, io: CommandIo): Promise<number> {
  if (io.stdin.isTTY !== true || !io.stdout.isTTY) return runPiped(args, io)
  const { env, cwd } = io
  const notes: string[] = []
  const tools = listArg(args, 'allow-tool').flatMap((names) => names.split(',').filter(Boolean))
  let finish: (() => Promise<number>) | undefined
  const runs = sessionRuns(io, async (thread) => {
    finish = await keepSession(service, thread, io)
    return finish !== undefined
  })
  const service = await openLocalService({
    cwd,
    env,
    addDirs: listArg(args, 'add-dir'),
    note: (text: string) => notes.push(text),
    tools: tools.length > 0 ? tools : undefined,
    limits: readLimits(args),
    program: [process.execPath, ...process.execArgv, process.argv[1] ?? ''],
    runs,
  })
  try {
    const terminal = openSessionIo(io, service)
    const options = screenOptions(args, io, service)
    const source = await findSource(args, io, service, async () =>
      (await import('./thread-picker.ts')).pickThread(service, io, terminal, options),
    )
    if (!source) return 0
    const choices = readAgentChoice(args)
    const mode = readApproval(stringArg(args, 'approval') ?? 'auto')
    const client = await service.openSession(source, { ...choices, mode })
    if (client.isElsewhere) notes.push(elsewhereNote)
    const message = listArg(args, 'MESSAGE').join(' ').trim()
    const screen = await openSessionScreen(client, withPersonalVerbs(io, service), terminal, {
      ...options,
      notes,
      wishes: { ...choices, mode },
      firstMessage: message || undefined,
    })
    const code = await screen.run()
    if (finish) return await finish()
    return await endSession(service, screen.thread?.() ?? client.thread, code, io)
  } finally {
    await service.close()
    // An open read of the terminal would prevent the process from ending.
    io.stdin.unref?.()
  }
}

/**
 * Closes the service of the session, and prints how to return to the thread if the thread is stored. Returns
 * the exit code.
 */
async function endSession(
  service: SessionService,
  thread: string,
  code: number,
  io: CommandIo,
): Promise<number> {
  const slow = setTimeout(() => io.stderr.write(slowEnd), slowMs)
  await service.close()
  clearTimeout(slow)
  const totals = await readThreadTotals(io.env, thread)
  const exit = io.signal.aborted ? Number(process.exitCode ?? code) : code
  // A terminal that accepts no output would prevent the process from ending.
  if (io.stdout.stream.writableLength > 0) process.exit(exit)
  if (!totals) return exit
  const goesOn = await isRunAtWork(io.env, thread)
  io.stderr.write(tellWayBack(totals, goesOn))
  return exit
}

const readLimits = (args: CommandArgs) => ({
  tokens: positiveArg(args, 'budget-tokens'),
  usd: positiveArg(args, 'budget-usd'),
  maxTurns: positiveArg(args, 'max-turns'),
})

const slowMs = 1_000
const slowEnd = 'hooks of SessionEnd and servers have yet to end; Ctrl-C twice leaves now\n'

/** Returns the terminal and the local services of a screen, such as the clipboard and the editor. */
export function openSessionIo(
  { env, cwd, signal, stdin, stdout }: CommandIo,
  service: ScreenSetup,
): SessionIo {
  return {
    input: stdin,
    output: stdout.stream,
    env,
    signal,
    cwd,
    onInterrupt: takeInterrupts,
    escapeMs: service.ui.escapeMs,
    // Node ends the process if it opens a terminal that is closed, so this is checked first.
    reopenInput: () => (isatty(0) ? new ReadStream(0) : undefined),
    editText: async (text) => editOutside(env, text),
    readClipboardPicture: () => service.readClipboardPicture(),
    writeClipboard: (text) => service.writeClipboard(text),
    runNotice: (program, text) => void tellOutside(env, program, text),
    readPicture: async (path) => readPicture(cwd, path),
  }
}

/**
 * Returns the functions that find, join and start the background processes of runs. `stay` turns this process
 * itself into such a process, with the service that is open at that time.
 */
function sessionRuns(io: CommandIo, stay: RunPlaces['stay']): RunPlaces {
  const { join, isTaken, start } = openRunPlaces(io)
  return { join, isTaken, start, stay }
}

const elsewhereNote =
  'this run continues in its own process, with the settings of its start, also after you leave'

/** Runs the message of the command line as one task without a screen. Returns the exit code. */
async function runPiped(args: CommandArgs, io: CommandIo): Promise<number> {
  return execute.run({ ...args, TASK: listArg(args, 'MESSAGE') }, io)
}

/**
 * Returns the thread to open, by default a new one; undefined if the user selects no thread. With --continue,
 * this is the latest thread of the workspace, or a new one for the latest unsent message, if that is newer
 * and its thread has no events. Throws UserError for contradictory flags, a missing or unknown thread, and an
 * invalid event number.
 */
async function findSource(
  args: CommandArgs,
  io: CommandIo,
  service: SessionService,
  pick: () => Promise<SessionSource | undefined>,
): Promise<SessionSource | undefined> {
  const resume = stringArg(args, 'resume')
  const fork = stringArg(args, 'fork')
  const isContinued = flagArg(args, 'continue')
  if ([resume !== undefined, fork !== undefined, isContinued].filter(Boolean).length > 1)
    throw new UserError('--resume, --continue and --fork exclude each other', { hint: 'give one of them' })
  if (isContinued) {
    const [newest] = await service.listThreads({ limit: 1 })
    // A draft (an unsent message) may be saved before its thread has an event. Such a thread is not stored
    // and cannot be resumed, so a new thread gets its id.
    for (const { thread, savedAt } of listDrafts(dataDir(io.env), io.cwd).reverse()) {
      if (savedAt <= (newest?.updated ?? 0)) break
      const events = await service.readThreadEnd?.(thread, 1)
      if (events?.length === 0) return { kind: 'new', id: thread }
    }
    if (!newest) throw new UserError('this workspace has no thread yet', { hint: '`anode` begins one' })
    return { kind: 'resume', thread: newest.thread }
  }
  if (resume === '') return pick()
  const name = resume ?? fork?.split('@', 1)[0]
  if (name === undefined) return { kind: 'new' }
  const { id: thread } = await withDataStore(io.env, (store) => findAgentThread(store, name, io.cwd))
  const at = fork?.split('@')[1]
  if (at !== undefined && !/^[1-9]\d*$/.test(at))
    throw new UserError(`--fork ${fork}: ${at} is not the number of an event`, {
      hint: 'the events of a thread count from 1',
    })
  if (fork === undefined) return { kind: 'resume', thread }
  return { kind: 'fork', thread, at: at === undefined ? undefined : Number(at) }
}

/**
 * Returns the options for the session's screen. Throws UserError for invalid keys and for an unknown
 * kind of screen.
 */
export function screenOptions(args: CommandArgs, io: CommandIo, { ui, origins }: ScreenSetup) {
  const { keys, notify, reflow, mouse, theme } = ui
  const built = buildKeyMap(keys)
  if (built.kind === 'problems') {
    const files = filesOfSetting(origins, 'ui.keys').join(' and ')
    const message = built.problems.map((problem) => `configuration ${files}: ${problem}`).join('\n')
    throw new UserError(message, { hint: 'fix it there; `/keys` in a session names actions and keys' })
  }
  return {
    form: readScreenForm(args, io, ui.screen),
    keys,
    notify,
    reflow,
    mouse,
    theme: stringArg(args, 'color') === 'never' ? ('mono' as const) : theme,
  }
}

function readScreenForm(args: CommandArgs, { env }: CommandIo, configured?: ScreenForm): ScreenForm {
  const named = stringArg(args, 'screen') ?? env.ANODE_SCREEN
  const isSimple = env.TERM === 'dumb' || !['', '0', 'false', undefined].includes(env.ACCESSIBLE)
  const form = named || (isSimple ? undefined : configured)
  if (form === 'plain' || form === 'inline' || form === 'full') return form
  if (form !== undefined && form !== '')
    throw new UserError(`ANODE_SCREEN: unknown screen ${form}`, { hint: 'set it to inline, full or plain' })
  return isSimple ? 'plain' : 'inline'
}

function tellWayBack(
  { name, runs, usd }: { name: string; runs: number; usd: number | null },
  goesOn: boolean,
): string {
  const way = goesOn ? `anode attach ${name}  still running` : `anode --resume ${name}`
  const cost = usd === null ? '' : `  $${usd.toFixed(2)}`
  return `${way}  ${runs} ${runs === 1 ? 'run' : 'runs'}${cost}\n`
}
