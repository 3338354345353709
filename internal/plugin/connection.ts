// Connection to one plugin: its process, its messages, and its requests with time limits.

import {
  CancellationTokenSource,
  createMessageConnection,
  type DataCallback,
  type Disposable,
  ErrorCodes,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node'
import { type FailureCode, FailureError, messageOf } from '../base/errors.ts'
import { sandboxHint } from '../base/text/sandbox-hint.ts'
import { timeLimit, unlessAborted } from '../base/time-limit.ts'
import type { OwnedProcess, SandboxRequest, SpawnProcess } from '../process/process-command.ts'

export interface PluginConnection {
  /**
   * Sends a request and resolves to its result. Rejects with FailureError `timeout`, `cancelled`,
   * `interrupted` (the plugin ended or sent a malformed message) or `command_failed`.
   */
  ask(method: string, params: unknown, ms: number, signal: AbortSignal): Promise<unknown>
  /**
   * Sends a notification; returns false if it was dropped because the plugin has ended or does not
   * read its input.
   */
  tell(method: string, params: unknown): boolean
  /** Resolves when the process of the plugin has ended. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/**
 * Number of bytes without a complete message after which the plugin is stopped. `maxUnreadBytes`: number of
 * bytes that the plugin leaves unread, after which notifications are dropped.
 */
const maxMessageBytes = 8 << 20
const maxUnreadBytes = 8 << 20
/** Number of characters of standard error that are stored, counted from its end. */
const maxStderrChars = 2000

/** How a plugin is launched: its program, its directory, and its sandbox if any. */
interface PluginStart {
  path: string
  cwd: string
  sandbox?: SandboxRequest | undefined
}

export async function connectPlugin(
  { path, cwd, sandbox }: PluginStart,
  spawn: SpawnProcess,
): Promise<PluginConnection> {
  const child = await spawn({ file: path, args: [], cwd, sandbox })
  const words = keepLastWords(child)
  let isOver = false
  for (const stream of [child.stdout, child.stderr]) stream.on('error', () => stream.destroy())
  const connection = createMessageConnection(
    new BoundedReader(child, () => void child.stop()),
    new StreamMessageWriter(child.stdin),
  )
  let tear: (why: Error) => void = () => undefined
  const torn = new Promise<never>((_, reject) => {
    tear = reject
  })
  torn.catch(() => undefined)
  // After one broken message, the rest of the stream cannot be parsed.
  connection.onError(() => {
    isOver = true
    tear(new Error('it broke the framing'))
    void child.stop()
  })
  connection.onUnhandledNotification(() => undefined)
  connection.listen()
  const endPromise = child.exited.then(() => {
    isOver = true
    connection.dispose()
  })
  return {
    ended: endPromise,
    async ask(method, params, ms, signal) {
      const late = timeLimit(ms)
      const token = new CancellationTokenSource()
      const exitPromise = child.exited.then(() => Promise.reject(new Error('it has ended')))
      exitPromise.catch(() => undefined) // the rejection of `gone` must be handled before it is awaited
      try {
        const reply = Promise.race([torn, connection.sendRequest(method, params, token.token), exitPromise])
        return await unlessAborted(reply, AbortSignal.any([signal, late]))
      } catch (error) {
        token.cancel()
        const hint = closedHint(child)
        if (signal.aborted) throw createFailure('cancelled', `${method} was cancelled`, error)
        if (late.aborted) throw createFailure('timeout', `${lateText(path, method, ms)}${hint}`, error)
        const why = isOver ? 'it ended' : messageOf(error)
        const code = isOver ? 'interrupted' : 'command_failed'
        const text = `the plugin ${path} failed at ${method}: ${why}${await words(isAnswer(error))}${hint}`
        throw createFailure(code, text, error)
      } finally {
        token.dispose()
      }
    },
    tell(method, params) {
      if (isOver || child.stdin.writableLength > maxUnreadBytes) return false
      connection.sendNotification(method, params).catch(() => undefined)
      return true
    },
    close: () => child.stop(),
  }
}

/** Returns true for an error that the plugin sent, false for one of the connection. */
const isAnswer = (error: unknown) =>
  error instanceof ResponseError && error.code !== ErrorCodes.PendingResponseRejected

const lateText = (path: string, method: string, ms: number) =>
  `the plugin ${path} did not answer ${method} within ${ms} ms`

/**
 * Longest time, in milliseconds, to wait for the last output of an ended plugin, because a child process may
 * keep its pipe open.
 */
const drainMs = 1_000

/**
 * Returns a function that resolves to a text for the message of a failed request. The text has the last five
 * lines of standard error, and is empty without output.
 */
function keepLastWords(child: OwnedProcess): (hasAnswered: boolean) => Promise<string> {
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-maxStderrChars)
  })
  const drained = new Promise<void>((resolve) => child.stderr.once('close', resolve))
  return async (hasAnswered) => {
    // A plugin that has answered is still running, so its output is not awaited. The pipes of a plugin that
    // ends may close in any order.
    if (!hasAnswered) await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, drainMs))])
    return stderr.trim() === '' ? '' : `; it said: ${stderr.trim().split('\n').slice(-5).join('\n')}`
  }
}

const closedHint = ({ isSandboxed }: OwnedProcess) =>
  isSandboxed ? `\n${sandboxHint('the plugin', 'set read, write or network in "plugins.sandbox"')}` : ''

function createFailure(code: FailureCode, message: string, cause: unknown): FailureError {
  return new FailureError({ code, message }, cause)
}

/** Message reader that calls `flooded` if the plugin sends more than 8 MiB without a complete message. */
class BoundedReader extends StreamMessageReader {
  #held = 0

  constructor(child: OwnedProcess, flooded: () => void) {
    super(child.stdout)
    child.stdout.on('data', (chunk: Buffer) => {
      this.#held += chunk.length
      if (this.#held > maxMessageBytes) flooded()
    })
  }

  override listen(callback: DataCallback): Disposable {
    return super.listen((message) => {
      this.#held = 0
      callback(message)
    })
  }
}
