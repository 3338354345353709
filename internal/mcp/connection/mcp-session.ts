// Connection to one server. It is opened on first use, opened again after it was lost (of a local server at
// most three times), and closed with the session.

import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Client, ClientOptions, OAuthClientProvider } from '@modelcontextprotocol/client'
import { codeOf } from '../../base/errors.ts'
import { timeLimit, unlessAborted } from '../../base/time-limit.ts'
import type { SpawnProcess } from '../../process/process-command.ts'
import { type RestartableProcess, restartProcess } from '../../process/restart.ts'
import { serverSandbox } from '../../process/server-sandbox.ts'
import type { UserChannel } from '../../tool/ctx.ts'
import { authFile, createOauthProvider } from '../auth/oauth-store.ts'
import type { McpServer } from '../config/server-config.ts'
import type { ServerListing } from '../server-listing.ts'
import { loadMcpClient } from './client-package.ts'
import { askElicitation } from './elicitation.ts'
import { openReach } from './host-reach.ts'
import { openHttpTransport } from './http-transport.ts'
import { explainMcpError } from './mcp-errors.ts'
import { openStdioTransport } from './stdio-transport.ts'

/** Functions and paths that a session with an MCP server gets from its caller. */
export interface McpSessionOptions {
  spawn: SpawnProcess
  dataDir: string
  /** Real path of the workspace, which servers get as their root. */
  workspace: string
  version: string
  /**
   * Channel for questions that servers ask the user. Default: servers are informed that no user can be asked.
   */
  user: UserChannel | undefined
  /** Login provider that is used instead of the stored tokens while the user logs in. */
  auth?: OAuthClientProvider
}

export interface McpSession {
  /** Runs `work` with the connected client. Rejects with FailureError only. */
  use<T>(doing: string, signal: AbortSignal, work: (client: Client) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * Longest wait in milliseconds for the answer of a local server to the first request of the newer protocol.
 * After that, the older protocol is used.
 */
const probeMs = 5000

interface LiveConnection {
  client: Client
  stderrText(): string
  close(): Promise<void>
}

interface ConnectionWatch {
  /** Runs with every new connection before its first use; an error makes the start fail. */
  up(client: Client, era: ServerListing['era']): Promise<void>
  /** Called shortly after the last of several notifications that the server's lists have changed. */
  changed(): void
}

export function openMcpSession(
  server: McpServer,
  sessionOptions: McpSessionOptions,
  knownEra: ServerListing['era'],
  watch: ConnectionWatch,
): McpSession {
  // An HTTP server that cannot be reached has not crashed, so the number of its reconnections is unlimited.
  const maxRestarts = server.launch.kind === 'http' ? Number.POSITIVE_INFINITY : undefined
  const start = () => connectServer(starter, starter.era)
  const { hide } = server
  const life = restartProcess(`the MCP server ${server.name}`, start, maxRestarts)
  const starter: SessionStarter = { server, sessionOptions, watch, life, era: knownEra }
  const attempt = async <T>(
    doing: string,
    signal: AbortSignal,
    work: (client: Client) => Promise<T>,
    isFirst: boolean,
  ): Promise<T> => {
    const at = await unlessAborted(life.get(), signal).catch((error: unknown) => {
      throw explainMcpError(error, { server: server.name, doing: 'start', signal, stderrText: '', hide })
    })
    try {
      return await work(at.client)
    } catch (error) {
      // A server that no longer knows the session has not processed the request, so the request
      // is sent again.
      if (isFirst && isForgotten(error, at.client)) {
        life.drop(at)
        await at.close()
        return attempt(doing, signal, work, false)
      }
      throw explainMcpError(error, { server: server.name, doing, signal, stderrText: at.stderrText(), hide })
    }
  }
  return {
    use: (doing, signal, work) => attempt(doing, signal, work, true),
    async close() {
      life.close()
      const last = await life.current?.catch(() => undefined)
      await last?.close()
    },
  }
}

/** What a session needs to open its connections, one after another. */
interface SessionStarter {
  server: McpServer
  sessionOptions: McpSessionOptions
  watch: ConnectionWatch
  life: RestartableProcess<LiveConnection>
  /**
   * Protocol version by which the previous connection worked. With `legacy`, the next connection uses only
   * the older protocol.
   */
  era: ServerListing['era']
}

async function connectServer(starter: SessionStarter, era: ServerListing['era']): Promise<LiveConnection> {
  const { server, sessionOptions, watch, life } = starter
  const handle = await openTransport(server, sessionOptions)
  const { Client } = await loadMcpClient()
  const client = new Client(
    { name: 'anode', title: 'Anode', version: sessionOptions.version },
    toClientOptions(sessionOptions, () => watch.changed(), era, handle.kind),
  )
  registerHandlers(client, server.name, sessionOptions)
  let isUp = false
  let isOver = false
  client.onclose = () => {
    if (isUp && !isOver && !life.closing.aborted) life.broke()
    isOver = true
  }
  // A message that cannot be parsed must not end the connection, so the error is ignored.
  client.onerror = () => undefined
  const close = async () => {
    isOver = true
    await client.close().catch(() => undefined)
    await handle.close()
  }
  const late = timeLimit(server.startMs)
  try {
    const stop = AbortSignal.any([late, life.closing])
    await unlessAborted(client.connect(handle.transport, { timeout: server.startMs }), stop)
    starter.era = client.getProtocolEra()
    await unlessAborted(watch.up(client, starter.era), stop)
    if (isOver) throw Object.assign(new Error('it ended at once'), { code: 'CONNECTION_CLOSED' })
    isUp = true
    return { client, stderrText: handle.stderrText, close }
  } catch (error) {
    const isOld = codeOf(error) === 'ERA_NEGOTIATION_FAILED' && handle.kind === 'stdio' && era !== 'legacy'
    await close()
    // Some servers of the older protocol exit when a request precedes `initialize`, so they are started again
    // with the older protocol.
    if (isOld && !life.closing.aborted) return connectServer(starter, 'legacy')
    const slow = `it did not start within ${server.startMs / 1000} s`
    const failed = codeOf(error) === 'EPIPE' ? new Error('it ended at once') : error
    const cause = late.aborted ? Object.assign(new Error(slow), { code: 'REQUEST_TIMEOUT' }) : failed
    const stderrText = handle.stderrText()
    const isSandboxed = server.places !== undefined && handle.kind === 'stdio'
    const { name, hide } = server
    const where = { server: name, doing: 'start', signal: life.closing, stderrText, hide, isSandboxed }
    throw explainMcpError(cause, where)
  }
}

/**
 * Returns true if the server no longer knows the HTTP session. The protocol signals this by 404 for a request
 * with the session's id.
 */
function isForgotten(error: unknown, client: Client): boolean {
  const { status } = (error ?? {}) as { status?: unknown }
  return status === 404 && client.transport?.sessionId !== undefined
}

interface TransportHandle {
  kind: 'stdio' | 'http'
  transport: Parameters<Client['connect']>[0]
  stderrText(): string
  close(): Promise<void>
}

/**
 * Returns the server's sandbox; undefined if it runs without one, such as a user's server without `sandbox`.
 */
function sandboxOf(
  { places, path, key }: McpServer,
  { command, args }: { command: string; args: readonly string[] },
  options: McpSessionOptions,
) {
  if (!places) return undefined
  const state = join(options.dataDir, 'servers', key)
  return serverSandbox({
    folders: [options.workspace],
    state,
    places,
    base: dirname(path),
    words: [command, ...args],
  })
}

async function openTransport(server: McpServer, sessionOptions: McpSessionOptions): Promise<TransportHandle> {
  const { launch } = server
  if (launch.kind === 'stdio') {
    const transport = openStdioTransport(
      launch,
      sessionOptions.spawn,
      sandboxOf(server, launch, sessionOptions),
    )
    return { kind: 'stdio', transport, stderrText: transport.stderrText, close: () => transport.close() }
  }
  const file = authFile(sessionOptions.dataDir, server.key)
  const stored = file.read().tokens === undefined ? undefined : createOauthProvider(server, file)
  const { transport, close } = await openHttpTransport(
    launch,
    sessionOptions.auth ?? stored,
    openReach(sessionOptions.dataDir, server.key),
  )
  return { kind: 'http', transport: transport as TransportHandle['transport'], stderrText: () => '', close }
}

function toClientOptions(
  sessionOptions: McpSessionOptions,
  changed: () => void,
  era: ServerListing['era'],
  kind: 'stdio' | 'http',
): ClientOptions {
  const listChanged = { autoRefresh: false, onChanged: changed }
  return {
    capabilities: {
      roots: {},
      ...(sessionOptions.user && { elicitation: { form: { applyDefaults: true } } }),
    },
    listChanged: { tools: listChanged, prompts: listChanged, resources: listChanged },
    versionNegotiation: {
      mode: era === 'legacy' ? 'legacy' : 'auto',
      ...(kind === 'stdio' && { probe: { timeoutMs: probeMs } }),
    },
    // The schema of a server's result is not compiled, because a result that violates it is still passed
    // to the model.
    jsonSchemaValidator: {
      getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
    },
  }
}

/** Registers the handlers of requests that servers may send. */
function registerHandlers(client: Client, server: string, { workspace, user }: McpSessionOptions): void {
  const root = { uri: pathToFileURL(workspace).href, name: basename(workspace) }
  client.setRequestHandler('roots/list', async () => ({ roots: [root] }))
  if (!user) return
  client.setRequestHandler('elicitation/create', async ({ params }, ctx) => {
    return askElicitation(params, server, user, ctx.mcpReq.signal)
  })
}
