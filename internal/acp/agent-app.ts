// The agent side of the protocol: its requests, each done on a session of the workspace.
import {
  type AgentApp,
  type AgentContext,
  agent,
  type ClientCapabilities,
  type InitializeResponse,
  type McpServer,
  PROTOCOL_VERSION,
  RequestError,
} from '@agentclientprotocol/sdk/unstable'
import { UserError } from '../base/errors.ts'
import type { SessionSource } from '../session/client.ts'
import type { AcpBackend, SessionPlace } from './acp-backend.ts'
import { toRequestError } from './acp-errors.ts'
import { type AcpSession, openAcpSession } from './acp-session.ts'
import { checkLogin, listAuthMethods } from './auth-methods.ts'
import { openClientFiles } from './client-files.ts'
import { readClientServers } from './client-servers.ts'
import { openClientTerminal } from './client-terminal.ts'
import { readConfigChoice } from './session-options.ts'
import { createShownTerminals } from './shown-terminals.ts'

interface ConnectionState {
  readonly backend: AcpBackend
  capabilities: ClientCapabilities | undefined
  readonly sessions: Map<string, AcpSession>
  /**
   * The latest request that opens, copies, closes or deletes a thread, by thread. The next such request
   * waits for it.
   */
  readonly busy: Map<string, Promise<unknown>>
}

/** Returns the agent side of the protocol. `close` closes all open sessions; their threads stay stored. */
export function createAgentApp(backend: AcpBackend): { app: AgentApp; close(): Promise<void> } {
  const connected: ConnectionState = {
    backend,
    capabilities: undefined,
    sessions: new Map(),
    busy: new Map(),
  }
  const app = agent({ name: 'anode' })
  app.onRequest('initialize', ({ params }) => {
    connected.capabilities = params.clientCapabilities
    return describeAgent(backend.version, params.clientCapabilities)
  })
  serveSessions(app, connected)
  serveTurns(app, connected)
  return {
    app,
    async close() {
      await Promise.all([...connected.sessions.values()].map((session) => session.close()))
      connected.sessions.clear()
    },
  }
}

/**
 * Returns the answer to `initialize`, with the one supported protocol version. An editor with another version
 * decides whether it continues.
 */
const describeAgent = (version: string, client: ClientCapabilities | undefined): InitializeResponse => ({
  protocolVersion: PROTOCOL_VERSION,
  agentInfo: { name: 'anode', title: 'Anode', version },
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: true, embeddedContext: true },
    mcpCapabilities: { http: true },
    sessionCapabilities: { list: {}, resume: {}, close: {}, fork: {}, delete: {}, additionalDirectories: {} },
  },
  authMethods: listAuthMethods(client),
})

function serveSessions(app: AgentApp, connected: ConnectionState): void {
  const { backend, sessions } = connected
  app.onRequest('authenticate', async ({ params }) => {
    await checkLogin(params.methodId, backend)
    return {}
  })
  app.onRequest('session/new', async ({ params, client }) => {
    const session = await openOne(connected, client, { kind: 'new' }, params, false)
    return { sessionId: session.id, ...session.settings() }
  })
  app.onRequest('session/load', async ({ params, client }) => {
    const source = { kind: 'resume', thread: params.sessionId } as const
    return (await reopenSession(connected, client, source, params, true)).settings()
  })
  app.onRequest('session/resume', async ({ params, client }) => {
    const source = { kind: 'resume', thread: params.sessionId } as const
    return (await reopenSession(connected, client, source, params, false)).settings()
  })
  app.onRequest('session/fork', async ({ params, client }) => {
    const session = await inTurn(connected, params.sessionId, () => openFork(connected, client, params))
    return { sessionId: session.id, ...session.settings() }
  })
  app.onRequest('session/delete', async ({ params }) => {
    const { sessionId: thread } = params
    return inTurn(connected, thread, async () => {
      const wasOpen = sessions.has(thread)
      await closeSession(connected, thread)
      const wasStored = await backend.deleteThread(thread).catch(rejectRequest)
      if (!wasOpen && !wasStored) throw RequestError.sessionNotFound(thread)
      return {}
    })
  })
  app.onRequest('session/list', async ({ params }) => {
    try {
      const { workspace, threads } = await backend.listSessions(params.cwd ?? undefined)
      const listed = threads.map(({ thread, title, updated }) => ({
        sessionId: thread,
        cwd: workspace,
        updatedAt: new Date(updated).toISOString(),
        title: title || undefined,
      }))
      return { sessions: listed }
    } catch (error) {
      throw toRequestError(error)
    }
  })
  app.onRequest('session/close', async ({ params }) => {
    return inTurn(connected, params.sessionId, async () => {
      const session = requireSession(connected, params.sessionId)
      await closeSession(connected, session.id)
      return {}
    })
  })
}

function serveTurns(app: AgentApp, connected: ConnectionState): void {
  app.onRequest('session/prompt', ({ params }) =>
    requireSession(connected, params.sessionId).prompt(params.prompt),
  )
  app.onNotification('session/cancel', async ({ params }) => {
    await connected.sessions.get(params.sessionId)?.cancel()
  })
  app.onRequest('session/set_mode', async ({ params }) => {
    const session = requireSession(connected, params.sessionId)
    await session.change({ type: 'set_profile', name: params.modeId }).catch(rejectRequest)
    return {}
  })
  app.onRequest('session/set_config_option', async ({ params }) => {
    const session = requireSession(connected, params.sessionId)
    const command = readConfigChoice(params.configId, params.value)
    if (!command) throw toRequestError(new UserError(`unknown option or value: ${params.configId}`))
    await session.change(command).catch(rejectRequest)
    return { configOptions: session.settings().configOptions }
  })
}

function rejectRequest(error: unknown): never {
  throw toRequestError(error)
}

function requireSession({ sessions }: ConnectionState, id: string): AcpSession {
  const session = sessions.get(id)
  if (!session) throw RequestError.sessionNotFound(id)
  return session
}

interface PlaceRequest {
  cwd: string
  additionalDirectories?: readonly string[]
  mcpServers?: readonly McpServer[]
}

/** Opens a session. Throws RequestError for a place, thread or configuration that cannot be used. */
async function openOne(
  { backend, capabilities, sessions }: ConnectionState,
  peer: AgentContext,
  source: SessionSource,
  { cwd, additionalDirectories = [], mcpServers }: PlaceRequest,
  isReplayed: boolean,
): Promise<AcpSession> {
  try {
    let thread = ''
    const editor = openClientFiles(peer, capabilities?.fs, () => thread)
    const terminals = createShownTerminals()
    const commandHost = openClientTerminal(peer, capabilities?.terminal, {
      session: () => thread,
      opened: terminals.open,
    })
    const { servers, notes } = readClientServers(mcpServers)
    const place: SessionPlace = { cwd, addDirs: additionalDirectories, servers }
    if (editor) place.editor = editor
    if (commandHost) place.commandHost = commandHost
    const opened = await backend.openSession(source, place)
    thread = opened.client.thread
    const noted = { ...opened, notes: [...notes, ...opened.notes] }
    const session = await openAcpSession(
      { opened: noted, backend, peer, capabilities, terminals },
      isReplayed,
    )
    sessions.set(session.id, session)
    // editors drop updates of a session that arrive before the response with the session's id
    setImmediate(() => void session.offerCommands())
    return session
  } catch (error) {
    throw toRequestError(error)
  }
}

/**
 * Opens a session on a copy of a thread, or a new session if the thread has no events yet and is not stored.
 * Throws RequestError for a thread that does not exist or that belongs to another workspace.
 */
async function openFork(
  connected: ConnectionState,
  client: AgentContext,
  params: PlaceRequest & { sessionId: string },
): Promise<AcpSession> {
  const { sessionId: thread } = params
  const isStored = await checkWorkspace(connected, thread, params.cwd).catch(rejectRequest)
  return openOne(connected, client, isStored ? { kind: 'fork', thread } : { kind: 'new' }, params, false)
}

/**
 * Opens the session of a thread again; for a thread that is not stored, a new session with its id. A session
 * of the thread that is already open is closed first, because the new directory and servers apply. It is
 * closed only after the checks of the request.
 */
function reopenSession(
  connected: ConnectionState,
  peer: AgentContext,
  { thread }: SessionSource & { kind: 'resume' },
  place: PlaceRequest,
  isReplayed: boolean,
): Promise<AcpSession> {
  return inTurn(connected, thread, async () => {
    const isStored = await checkWorkspace(connected, thread, place.cwd).catch(rejectRequest)
    await closeSession(connected, thread)
    // the thread has no message yet, so nothing is stored, and the new session gets the same id
    const source = isStored ? ({ kind: 'resume', thread } as const) : ({ kind: 'new', id: thread } as const)
    return openOne(connected, peer, source, place, isReplayed)
  })
}

/** Executes `step` after all earlier steps of the thread, also after failed ones, and returns its result. */
function inTurn<T>({ busy }: ConnectionState, thread: string, step: () => Promise<T>): Promise<T> {
  const done = (busy.get(thread) ?? Promise.resolve()).then(step, step)
  busy.set(thread, done)
  const forget = () => busy.get(thread) === done && busy.delete(thread)
  done.then(forget, forget)
  return done
}

async function closeSession({ sessions }: ConnectionState, thread: string): Promise<void> {
  const open = sessions.get(thread)
  sessions.delete(thread)
  await open?.close()
}

/**
 * Returns true if the thread is stored, false if it is only open. Throws UserError for another workspace, or
 * a thread that does not exist.
 */
async function checkWorkspace(
  { backend, sessions }: ConnectionState,
  thread: string,
  directory: string,
): Promise<boolean> {
  const requestedWorkspace = await backend.findWorkspace(directory)
  const stored = await backend.findThreadWorkspace(thread)
  const workspace = stored ?? sessions.get(thread)?.workspace
  if (workspace === undefined)
    throw new UserError(`no session is named ${thread}`, { hint: 'session/list names those that exist' })
  if (workspace !== requestedWorkspace)
    throw new UserError(`session ${thread} belongs to ${workspace}, not to ${requestedWorkspace}`, {
      hint: `open ${workspace} in the editor, or start a new session`,
    })
  return stored !== undefined
}
