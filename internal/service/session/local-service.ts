// Service for the sessions of one workspace, which run in this process.
import { accessSync, constants } from 'node:fs'
import { createBudget } from '../../agent/budget.ts'
import { UserError } from '../../base/errors.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { makeDataDirectoryError } from '../../base/files/own-directories.ts'
import { once } from '../../base/once.ts'
import type { DeclaredServer } from '../../mcp/config/server-config.ts'
import { readGitBranch } from '../../process/git/git-layout.ts'
import type { CommandHost, RunCommand } from '../../process/process-command.ts'
import { resolveAddedDir } from '../../runtime/session-policy.ts'
import { readWorkspaceContext, type WorkspaceContext } from '../../runtime/workspace/workspace.ts'
import type { CommandReply, SessionClient, SessionService } from '../../session/client.ts'
import type { Store } from '../../store/store.ts'
import type { EditorFiles } from '../../tool/editor-files.ts'
import { readClipboardPicture } from '../desktop/clipboard.ts'
import { type WrittenClipboard, writeClipboard } from '../desktop/clipboard-writer.ts'
import type { OutsidePicture } from '../desktop/outside-text.ts'
import { changeThread, listThreads, readThreadCost, readThreadEnd } from '../threads/thread-list.ts'
import type { RunLimits } from './agent-settings.ts'
import type { CarriedSession } from './handover/carried-session.ts'
import type { RunPlaces } from './handover/hand-over.ts'
import { type LocalSession, openLocalSession } from './local-session.ts'
import { listPastMessages } from './past-messages.ts'

/** The settings of the configuration that apply to screens. */
interface SessionUi {
  keys?: Readonly<Record<string, string | readonly string[]>> | undefined
  notify?: 'off' | 'bell' | 'osc9' | string[] | undefined
  screen?: 'inline' | 'full' | 'plain' | undefined
  mouse?: boolean | undefined
  theme?: 'auto' | 'dark' | 'light' | 'mono' | undefined
  reflow?: 'text' | 'lines' | 'cut' | undefined
  escapeMs?: number | undefined
}

interface SessionLimits {
  tokens?: number
  usd?: number
  maxTurns?: number
}

interface LocalServiceOptions {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  addDirs: readonly string[]
  /** Names and globs of allowed tools. Default: all tools of the profile. */
  tools?: readonly string[]
  /** Limits of all runs of all sessions together, except `maxTurns`, which applies to each run. */
  limits?: SessionLimits
  /** Open files of an editor, with their unsaved content. */
  editor?: EditorFiles
  /** Terminals of an editor, in which commands without a sandbox run. */
  commandHost?: CommandHost
  /** MCP servers that the client passes for its sessions. */
  servers?: readonly DeclaredServer[]
  /**
   * Program file of Anode and its first arguments, with which commands such as `anode study` start. Default:
   * such commands cannot run.
   */
  program?: readonly string[]
  /** State of the session that is not in its thread, from the process that handed it off. */
  carried?: CarriedSession
  /** Access to other processes, in which runs can continue and threads may be active. Default: none. */
  runs?: RunPlaces
  /** Called with notices for the user: ignored files, a model that was selected. */
  note(text: string): void
}

export interface LocalService extends SessionService {
  /** The user's settings for terminal screens. */
  readonly ui: SessionUi
  /** Keys of the configuration, such as `session.maxSessions`, with the files that set them. */
  readonly origins: ReadonlyMap<string, string>
  /**
   * Returns the image in the clipboard of the desktop. Throws UserError if the clipboard has no image, if it
   * has more than 5 MiB, or if no program can read it.
   */
  readClipboardPicture(): Promise<OutsidePicture>
  /**
   * Writes text to the clipboard of the desktop. Programs that fail are listed in the result and
   * cause no error.
   */
  writeClipboard(text: string): Promise<WrittenClipboard>
  /** Attaches another client to an open session, or returns undefined if it is not open here. */
  attach(thread: string): SessionClient | undefined
  /**
   * Continues a session that was handed off and is open here; otherwise replies `not_found`. Never rejects.
   */
  goOn(thread: string): Promise<CommandReply>
  /**
   * Denies everything that waits for the user in an open session, with the reason `why`. Does nothing if the
   * session is not open here.
   */
  refuseWaiting(thread: string, why: string): void
  /** Seconds that a question waits without a client; undefined: without limit. */
  readonly unattendedSeconds: number | undefined
}

/** Functions and settings of a screen that do not depend on the process in which its session runs. */
export type ScreenSetup = Pick<LocalService, 'ui' | 'origins' | 'readClipboardPicture' | 'writeClipboard'>

/** Creates the directory if it is missing. Throws UserError if a session could not store data in it. */
async function requireDataDirectory(data: string): Promise<void> {
  try {
    makeDirectory(data, 0o700)
    accessSync(data, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw makeDataDirectoryError(data, error)
  }
}

/**
 * Opens the service. Throws UserError if the configuration is invalid, the data directory is unusable, or an
 * added directory is missing.
 */
export async function openLocalService(options: LocalServiceOptions): Promise<LocalService> {
  let context = await readWorkspaceContext(options.cwd, options.env)
  for (const text of context.loaded.notes) options.note(text)
  await requireDataDirectory(context.data)
  if (options.addDirs.length > 0) {
    for (const dir of options.addDirs) resolveAddedDir(context.workspace, dir, context.env)
  }
  const { env, workspace, loaded } = context
  const sessions = new Map<string, LocalSession>()
  const { store, run, closeParts } = lazyParts(context)
  const limits = await openLimits(options.limits)
  return {
    ui: loaded.config.ui ?? {},
    origins: loaded.origins,
    ...unattendedLimit(loaded.config.approvals),
    async openSession(source, settings) {
      const { addDirs, tools, note, editor, commandHost, servers, carried, runs } = options
      if (source.kind !== 'new' && !(await store()).threads.get(source.thread))
        throw new UserError(`no thread named ${source.thread}`, { hint: 'see `anode threads list`' })
      // a thread that another process serves is joined there, because only one process may write to it
      const joined = source.kind === 'resume' ? await runs?.join(source.thread) : undefined
      if (joined) return joined
      const extras = { addDirs, tools, note, editor, commandHost, servers, carried, runs }
      const session = await openLocalSession({ context, source, settings, store, run, limits, ...extras })
      const client = session.attach()
      sessions.set(client.thread, session)
      return client
    },
    ...createClipboardAccess(run, env, workspace),
    attach: (thread) => sessions.get(thread)?.attach(),
    goOn: async (thread) => (await sessions.get(thread)?.goOn()) ?? notOpen,
    refuseWaiting: (thread, why) => sessions.get(thread)?.refuseWaiting(why),
    ...createWorkspaceAccess(store, workspace),
    async listPastMessages(limit) {
      const opened = await store()
      const threads = listThreads(opened, workspace, { limit: 50 }).map(({ thread }) => thread)
      return listPastMessages(opened, threads, limit)
    },
    readChoices: async () => (await loadChoices()).readSessionChoices(context),
    listSkills: async () => (await loadChoices()).listSlashNames(context),
    saveProvider: async (setup) => (await loadSetup()).saveProviderKey(context, setup),
    readTrust: async () => (await loadSetup()).readWorkspaceTrust(context),
    describeTrust: async (files) => (await loadSetup()).describeWorkspaceTrust(context, files),
    async grantTrust(digest) {
      const reply = await (await loadSetup()).grantWorkspaceTrust(context, digest)
      // sessions that open later use the trusted files of the workspace
      if (reply.ok) context = await readWorkspaceContext(options.cwd, options.env)
      return reply
    },
    runVerb: options.program ? createVerbRunner(options.program, context, run) : undefined,
    async close() {
      for (const session of sessions.values()) await session.close()
      await closeParts()
    },
  }
}

const notOpen: CommandReply = { ok: false, code: 'not_found', message: 'it is not open' }

/**
 * Returns the time limit for unanswered questions in seconds, if there is one. It is at least the time limit
 * of remote approval, with which the user can answer without a client.
 */
function unattendedLimit({
  unattended,
  relay,
}: NonNullable<WorkspaceContext['loaded']['config']['approvals']> = {}) {
  if (unattended === undefined || !relay) return { unattendedSeconds: unattended }
  return { unattendedSeconds: Math.max(unattended, relay.timeout ?? maxRelaySeconds) }
}

const maxRelaySeconds = 600

/** Returns functions that open the database and the process runner when first called. */
function lazyParts({ data, env, loaded }: WorkspaceContext) {
  const closers: (() => void | Promise<void>)[] = []
  const store = once(async () => {
    const { openStore } = await import('../../store/sqlite.ts')
    const opened = await openStore(data)
    closers.push(() => opened.close())
    return opened
  })
  const runner = once(async () => {
    const { createRunner } = await import('../../process/run-command.ts')
    const commandRunner = createRunner({ dataDir: data, env, keep: loaded.config.shell?.env ?? [] })
    closers.push(() => commandRunner.close())
    return commandRunner
  })
  const run: RunCommand = async (command) => (await runner()).run(command)
  return {
    store,
    run,
    async closeParts() {
      for (const close of closers.reverse()) await close()
    },
  }
}

async function openLimits({ maxTurns, ...caps }: SessionLimits = {}): Promise<RunLimits> {
  if (caps.tokens === undefined && caps.usd === undefined) return { maxTurns }
  return { within: createBudget(caps), maxTurns }
}

/** Returns a function that runs another command of Anode as a child process without a terminal. */
function createVerbRunner(
  [file = '', ...first]: readonly string[],
  { workspace, env }: WorkspaceContext,
  run: RunCommand,
): NonNullable<SessionService['runVerb']> {
  const envEntries = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return async (words, { columns, signal, output }) => {
    const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
    const { exit } = await run({
      file,
      args: [...first, ...words],
      cwd: workspace,
      signal,
      env: { ...Object.fromEntries(envEntries), COLUMNS: String(columns), NO_COLOR: '1' },
      onOutput: (chunk, stream) => output(decoders[stream].decode(chunk, { stream: true }), stream),
    })
    return { exit }
  }
}

const createClipboardAccess = (
  run: RunCommand,
  env: LocalServiceOptions['env'],
  workspace: string,
): Pick<LocalService, 'readClipboardPicture' | 'writeClipboard'> => ({
  readClipboardPicture: async () => readClipboardPicture(run, env, workspace),
  writeClipboard: async (text) => writeClipboard(env, workspace, text),
})

type WorkspaceAccess = Pick<
  LocalService,
  'listThreads' | 'readThreadEnd' | 'readThreadCost' | 'changeThread' | 'readBranch'
>

const createWorkspaceAccess = (store: () => Promise<Store>, workspace: string): WorkspaceAccess => ({
  readBranch: async () => readGitBranch(workspace),
  listThreads: async (query) => listThreads(await store(), workspace, query),
  readThreadEnd: async (thread, limit) => readThreadEnd(await store(), workspace, thread, limit),
  readThreadCost: async (thread) => readThreadCost(await store(), workspace, thread),
  changeThread: async (change) => changeThread(await store(), workspace, change),
})

const loadSetup = () => import('./session-setup.ts')
const loadChoices = () => import('./session-choices.ts')
