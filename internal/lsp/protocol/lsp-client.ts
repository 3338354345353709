// Connection to a running language server: handshake, requests with a time limit, notifications, shutdown.
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { CancellationTokenSource, Message, StreamMessageWriter } from 'vscode-jsonrpc/node'
import { LanguageClient, type MessageTransports } from 'vscode-languageclient'
import { codeOf, FailureError, messageOf } from '../../base/errors.ts'
import type { OwnedProcess } from '../../process/process-command.ts'
import { Uri } from '../vscode-host.ts'
import { awaitWithin, type WaitLimit } from '../wait-limit.ts'
import { clientCapabilities } from './client-capabilities.ts'
import { readFramedMessages } from './message-framing.ts'

/** Unit of character positions in a line. */
export type PositionEncoding = 'utf-16' | 'utf-8'

interface ConnectOptions {
  name: string
  /** Absolute directory that the server is responsible for. */
  root: string
  child: OwnedProcess
  initializationOptions?: unknown
  /** Values for answers to `workspace/configuration`. */
  settings?: Readonly<Record<string, unknown>>
  timeoutMs: number
  signal: AbortSignal
  onDiagnostics(params: unknown): void
  /** Called when the server invalidates the diagnostics that it has returned. */
  onRefresh(): void
}

export interface LspClient {
  /** Capabilities as declared by the server, which may be wrong in detail. */
  readonly capabilities: Readonly<Record<string, unknown>>
  readonly encoding: PositionEncoding
  /** Returns whether the server registered for this method after the handshake. */
  registered(method: string): boolean
  /**
   * Sends a request. Rejects with FailureError: `timeout`, `cancelled`, `unavailable` when the connection
   * ends, `io` for a server's error.
   */
  request(
    method: string,
    params: unknown,
    limit: { timeoutMs: number; signal: AbortSignal },
  ): Promise<unknown>
  /**
   * Resolves when the system has accepted the bytes, which a server that does not read may delay forever.
   * Rejects with FailureError `unavailable` when the connection has ended.
   */
  notify(method: string, params: unknown): Promise<void>
  /** Returns the time of the server's last message, as `performance.now()`. */
  heard(): number
  /** Resolves with the reason when the process has ended. */
  readonly ended: Promise<string>
  /** Shuts down in order, then ends the process. Never rejects. */
  stop(): Promise<void>
}

/** Error codes of a request that may be retried: the text has changed, or the server canceled the request. */
const passing = new Set([-32801, -32802])

/**
 * Longest wait in milliseconds for the answer to a shutdown request, and then again for the end
 * of the process.
 */
const goodbyeMs = 500

/**
 * Largest number of requests that the server may send in a row while it reads no answer; one more
 * stops the server.
 */
const maxUnread = 10_000

/** Resolves after the handshake. Rejects with FailureError; the caller then has to stop the process. */
export async function connectServer(order: ConnectOptions): Promise<LspClient> {
  const { name, child, settings = {} } = order
  const stream = new WatchedStream(child)
  const registrations = new Map<string, string>()
  const client = createLanguageClient(order, stream, registrations)
  const lastWords = collectErrorOutput(child.stderr)
  const broken = child.exited.then(({ exit, signal }) => {
    stream.fault ??=
      (signal === null ? `it ended with exit ${exit}` : `it was ended by ${signal}`) + lastWords()
    return createEndError(name, stream.fault)
  })
  await awaitAnswer(client.start(), broken, name, 'initialize', order)
  client.onRequest('workspace/diagnostic/refresh', () => {
    order.onRefresh()
    return null
  })
  if (Object.keys(settings).length > 0)
    void client.sendNotification('workspace/didChangeConfiguration', { settings }).catch(() => undefined)

  return {
    capabilities: (client.initializeResult?.capabilities ?? {}) as Record<string, unknown>,
    encoding: stream.encoding,
    registered: (method) => [...registrations.values()].includes(method),
    async request(method, params, limit) {
      const cancel = new CancellationTokenSource()
      try {
        const answer = client.sendRequest<unknown>(method, params, cancel.token)
        return await awaitAnswer(answer, broken, name, method, limit)
      } catch (error) {
        cancel.cancel()
        throw error
      } finally {
        cancel.dispose()
      }
    },
    notify: (method, params) => explainErrors(client.sendNotification(method, params), broken, name, method),
    heard: () => stream.heard,
    ended: broken.then(() => stream.fault ?? 'it ended'),
    stop: () => stopServer(client, child),
  }
}

/** Stream of a server's messages that inspects each one before the library gets it. */
class WatchedStream {
  readonly #child: OwnedProcess
  #unread = 0
  encoding: PositionEncoding = 'utf-16'
  heard = performance.now()
  /** Reason why the stream is no longer read. */
  fault: string | undefined

  constructor(child: OwnedProcess) {
    this.#child = child
  }

  async transports(): Promise<MessageTransports> {
    const { stdin, stdout } = this.#child
    return {
      reader: readFramedMessages(stdout, (message) => this.#pass(message)),
      writer: new StreamMessageWriter(stdin),
    }
  }

  fail(error: Error): void {
    // EPIPE follows from the end of the server and is not its reason
    if (codeOf(error) === undefined) this.fault ??= messageOf(error)
    // after this error the output of the server is no longer read, so the server is stopped
    void this.#child.stop()
  }

  #pass(message: Message): boolean {
    this.heard = performance.now()
    // a server that sends requests without reading the answers is stopped, because the
    // answers would accumulate
    if (!Message.isRequest(message) || this.#child.stdin.writableLength === 0) this.#unread = 0
    else if (++this.#unread > maxUnread) throw new Error('it asks without reading the answers')
    if (correctEncoding(message)) this.encoding = 'utf-8'
    return !mute.has((message as { method?: string }).method ?? '')
  }
}

/** Creates a client that stores the server's registrations in `registrations`, by id. */
function createLanguageClient(
  { name, root, child, settings = {}, initializationOptions, onDiagnostics }: ConnectOptions,
  stream: WatchedStream,
  registrations: Map<string, string>,
): LanguageClient {
  const client = new LanguageClient('anode', name, () => stream.transports(), {
    documentSelector: [],
    workspaceFolder: { uri: Uri.file(root) as never, name, index: 0 },
    initializationOptions,
    errorHandler: {
      error: (error) => {
        stream.fail(error)
        return { action: 1, handled: true }
      },
      closed: () => ({ action: 1, handled: true }),
    },
    middleware: {
      workspace: {
        configuration: ({ items }) => items.map(({ section }) => lookUp(settings, section)),
      },
      handleRegisterCapability: async (params) => {
        for (const { id, method } of params.registrations.slice(0, 200)) {
          if (registrations.size < 1_000) registrations.set(id, method)
        }
      },
      handleUnregisterCapability: async ({ unregisterations }) => {
        for (const { id } of unregisterations) registrations.delete(id)
      },
    },
  })
  client.registerFeature(clientCapabilities(child.isSandboxed))
  client.onNotification('textDocument/publishDiagnostics', onDiagnostics)
  return client
}

async function stopServer(client: LanguageClient, child: OwnedProcess): Promise<void> {
  const hasStopped =
    client.isRunning() &&
    (await client
      .stop(goodbyeMs)
      .then(() => true)
      .catch(() => false))
  if (hasStopped) await Promise.race([child.exited, sleep(goodbyeMs)])
  await child.stop()
}

/** Returns whether a retry of the request may succeed. */
export function mayPass(error: unknown): boolean {
  const cause = error instanceof FailureError ? (error.cause as { code?: unknown } | undefined) : undefined
  return typeof cause?.code === 'number' && passing.has(cause.code)
}

/**
 * Returns the answer. Rejects with FailureError if the server answers with an error, or if it ends, the time
 * is over or the request is cancelled before an answer.
 */
async function awaitAnswer<T>(
  answer: Promise<T>,
  broken: Promise<FailureError>,
  name: string,
  what: string,
  limit: WaitLimit,
) {
  const end = broken.then((error) => Promise.reject(error))
  const reply = explainErrors(answer, broken, name, what)
  // the rejection of an abandoned answer must not go unhandled
  reply.catch(() => undefined)
  return awaitWithin(Promise.race([reply, end]), limit, `${what} by ${name}`)
}

/** Returns the value of `work`. Throws a FailureError for any error of the JSON-RPC library. */
async function explainErrors<T>(work: Promise<T>, broken: Promise<FailureError>, name: string, what: string) {
  try {
    return await work
  } catch (error) {
    // the connection closes a moment before the process end is seen, and only that end has the reason
    const end = isClosed(error) ? await Promise.race([broken, sleep(closeMs)]) : undefined
    throw end ?? toAnswerError(error, name, what)
  }
}

const closeMs = 1_000

/** The library's error codes for a broken or closed connection. */
const closedCodes: ReadonlySet<unknown> = new Set([-32096, -32097, -32098, -32099])

/** Returns whether the connection is closed; system errors such as EPIPE come from writing to it. */
const isClosed = (error: unknown) =>
  closedCodes.has((error as { code?: unknown }).code) || codeOf(error) !== undefined

/** Returns the error of the server's answer, or of the end of the connection. */
function toAnswerError(error: unknown, name: string, what: string): FailureError {
  if (isClosed(error)) return createEndError(name, messageOf(error))
  const message = `${name} refused ${what}: ${messageOf(error).slice(0, 500)}`
  return new FailureError({ code: 'io', message }, error)
}

function createEndError(name: string, why: string): FailureError {
  const message = `the language server ${name} has ended: ${why.slice(0, 500)}`
  return new FailureError({ code: 'unavailable', message, hint: 'The next call starts it again.' })
}

/**
 * Collects the error output of the server. The returned function gives `: ` and a line: the first line with
 * `error` in the first 4,000 characters, else the last line. Without output it gives an empty text.
 */
function collectErrorOutput(stderr: Readable): () => string {
  let head = ''
  stderr.on('data', (chunk: Buffer) => {
    if (head.length < 4_000) head += chunk.toString('latin1')
  })
  return () => {
    const lines = Buffer.from(head, 'latin1').toString('utf8').trim().split('\n')
    const line = (lines.find((one) => /error/i.test(one)) ?? lines.at(-1))?.trim()
    return line ? `: ${line.slice(0, 300)}` : ''
  }
}

/** Notifications that are dropped, because they would only fill a log. */
const mute = new Set([
  ...['window/logMessage', 'window/showMessage', 'telemetry/event', '$/logTrace', '$/progress'],
  '$/typescriptVersion',
])

/**
 * Returns true for the handshake answer of a server that uses UTF-8 columns although the client did not offer
 * them. Changes the answer to UTF-16, because the library would reject UTF-8.
 */
function correctEncoding(message: Message): boolean {
  const { result } = message as { result?: { capabilities?: { positionEncoding?: string } | null } | null }
  if (result?.capabilities?.positionEncoding !== 'utf-8') return false
  result.capabilities.positionEncoding = 'utf-16'
  return true
}

function lookUp(settings: Readonly<Record<string, unknown>>, section: string | undefined): unknown {
  if (!section) return settings
  let at: unknown = settings
  for (const key of section.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return null
    at = (at as Record<string, unknown>)[key]
  }
  return at
}
