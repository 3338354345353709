// Life cycle of one server for a language and a root: started on first use, restarted on the next use after a
// crash, stopped with the program.

import { setTimeout as sleep } from 'node:timers/promises'
import { FailureError } from '../base/errors.ts'
import { sandboxHint } from '../base/text/sandbox-hint.ts'
import type { SpawnProcess } from '../process/process-command.ts'
import type { LspServerEntry } from './config/server-entry.ts'
import { type LspSession, openLspSession } from './lsp-session.ts'
import { awaitWithin, type WaitLimit } from './wait-limit.ts'

/**
 * Milliseconds before the first, second and third (last) restart, after a crash, a failed start or
 * a long silence.
 */
const backoffMs: readonly number[] = [200, 1_000, 5_000]

/** Limits for a slow or crashing server; tests set lower ones. */
export interface ServerPatience {
  backoff?: readonly number[]
  patienceMs?: number
}

export interface LanguageServer {
  readonly entry: LspServerEntry
  readonly root: string
  /**
   * Returns the session and starts the server if needed. Rejects with FailureError: `unavailable` if it does
   * not start, `timeout`, or `cancelled`.
   */
  ready(limit: WaitLimit): Promise<LspSession>
  /** Returns the current session, or undefined if the server is not running. */
  running(): LspSession | undefined
  /**
   * Reports that an answer to a request sent at `since`, in milliseconds of `performance.now()`, did not
   * come in time. Ends the server if it has now been silent for a minute or longer, counted from the
   * first such request.
   */
  suspect(since: number): void
  /** Returns whether the server has been silent since a request timed out. */
  doubted(): boolean
  /**
   * Returns the number of starts and, as `fault`, the last reason why the server ended or did not start;
   * `fault` is undefined if neither has happened.
   */
  state(): { starts: number; fault: string | undefined }
  stop(): Promise<void>
}

export function createServer(
  entry: LspServerEntry,
  root: string,
  spawn: SpawnProcess,
  patience: ServerPatience = {},
): LanguageServer {
  return new RestartedServer(entry, root, spawn, patience)
}

class RestartedServer implements LanguageServer {
  readonly entry: LspServerEntry
  readonly root: string
  readonly #spawn: SpawnProcess
  readonly #patience: Required<ServerPatience>
  readonly #ending = new AbortController()
  #silentSince: number | undefined
  #session: LspSession | undefined
  #starting: Promise<LspSession> | undefined
  #starts = 0
  #fault: string | undefined

  constructor(entry: LspServerEntry, root: string, spawn: SpawnProcess, patience: ServerPatience) {
    this.entry = entry
    this.root = root
    this.#spawn = spawn
    this.#patience = { backoff: backoffMs, patienceMs: 60_000, ...patience }
  }

  async ready(limit: WaitLimit): Promise<LspSession> {
    if (this.#session) return this.#session
    this.#starting ??= this.#start()
    return awaitWithin(this.#starting, limit, `the start of ${this.entry.name}`)
  }

  running(): LspSession | undefined {
    return this.#session
  }

  suspect(since: number): void {
    const session = this.#session
    if (!session || session.client.heard() >= since) {
      this.#silentSince = undefined
      return
    }
    this.#silentSince = Math.min(this.#silentSince ?? since, since)
    if (performance.now() - this.#silentSince < this.#patience.patienceMs) return
    this.#session = undefined
    this.#fault = 'it said nothing for too long'
    void session.client.stop()
  }

  doubted(): boolean {
    const since = this.#silentSince
    return since !== undefined && this.#session !== undefined && this.#session.client.heard() < since
  }

  state(): { starts: number; fault: string | undefined } {
    return { starts: this.#starts, fault: this.#fault }
  }

  async stop(): Promise<void> {
    // an open session shuts down in order, a start in progress is aborted
    if (!this.#session) this.#ending.abort()
    const last = this.#session ?? (await this.#starting?.catch(() => undefined))
    await last?.client.stop()
    this.#ending.abort()
  }

  async #start(): Promise<LspSession> {
    const { entry } = this
    const pause = this.#starts === 0 ? 0 : this.#patience.backoff[this.#starts - 1]
    if (pause === undefined) throw createGiveUpError(entry.name, this.#starts, this.#fault)
    this.#starts++
    await sleep(pause)
    if (this.#ending.signal.aborted) throw endedBefore(entry)
    try {
      const session = await openLspSession(entry, this.root, this.#spawn, this.#ending.signal)
      this.#session = session
      this.#silentSince = undefined
      void session.client.ended.then((why) => {
        this.#fault = why
        if (this.#session === session) this.#session = undefined
      })
      return session
    } catch (error) {
      this.#fault = error instanceof FailureError ? error.failure.message : String(error)
      throw error instanceof FailureError ? toStartError(entry, error) : error
    } finally {
      this.#starting = undefined
    }
  }
}

function endedBefore({ name }: LspServerEntry): FailureError {
  return new FailureError({ code: 'cancelled', message: `${name} was not started: the session ends` })
}

function createGiveUpError(name: string, starts: number, fault = 'it ended'): FailureError {
  const message = `the language server ${name} was started ${starts} times and is given up: ${fault}`
  return new FailureError({ code: 'unavailable', message, hint: 'See `anode lsp doctor`.' })
}

/**
 * Returns the error of a server that does not start, with the code `unavailable`. A cancelled
 * start stays `cancelled`.
 */
function toStartError({ name, sandboxRequest: sandbox }: LspServerEntry, error: FailureError): FailureError {
  const { code, message } = error.failure
  if (code === 'cancelled' || code === 'unavailable') return error
  const opens = `set read, write or network in "sandbox" of the server "${name}"`
  const hint = sandbox ? `\n${sandboxHint('the server', opens)}` : ''
  return new FailureError(
    {
      code: 'unavailable',
      message: `the language server ${name} does not start: ${message}${hint}`,
      hint: 'See `anode lsp doctor`.',
    },
    error,
  )
}
