// One server for a language and a root: started when it is first needed, started again after a crash, ended
// with us.
import { setTimeout as sleep } from 'node:timers/promises'
import { FailureError } from '../base/errors.ts'
import type { SpawnProcess } from '../process/process-command.ts'
import type { LspServerEntry } from './config/server-entry.ts'
import { type LspSession, openLspSession } from './lsp-session.ts'
import { awaitWithin, type WaitLimit } from './wait-limit.ts'

/** Pauses before the first, second and third start after a crash; there is no fourth. */
const backoffMs: readonly number[] = [200, 1_000, 5_000]

/** How much of a server is put up with; tests are less patient. */
export interface ServerPatience {
  backoff?: readonly number[]
  patienceMs?: number
}

export interface LanguageServer {
  readonly entry: LspServerEntry
  readonly root: string
  /**
   * Starts it if need be. Rejects with FailureError: `unavailable` when it does not start or no more,
   * `timeout`.
   */
  ready(limit: WaitLimit): Promise<LspSession>
  /** The conversation that is going on, if there is one. */
  running(): LspSession | undefined
  /**
   * To be called when something asked at `since` did not come in time: silence of a minute ends the server.
   */
  suspect(since: number): void
  /** Whether it has been silent since something was asked of it in vain. */
  doubted(): boolean
  /** How often it has been started, and the last reason why it ended. */
  state(): { starts: number; fault: string | undefined }
  stop(): Promise<void>
}

export function createServer(
  entry: LspServerEntry,
  root: string,
  spawn: SpawnProcess,
  { backoff = backoffMs, patienceMs = 60_000 }: ServerPatience = {},
): LanguageServer {
  let silentSince: number | undefined
  let session: LspSession | undefined
  let starting: Promise<LspSession> | undefined
  let starts = 0
  let fault: string | undefined
  const ending = new AbortController()

  const start = async (): Promise<LspSession> => {
    const pause = starts === 0 ? 0 : backoff[starts - 1]
    if (pause === undefined) throw spent(entry.name, starts, fault)
    starts++
    await sleep(pause)
    if (ending.signal.aborted) throw endedBefore(entry)
    try {
      const made = await openLspSession(entry, root, spawn, ending.signal)
      session = made
      silentSince = undefined
      void made.client.ended.then((why) => {
        fault = why
        if (session === made) session = undefined
      })
      return made
    } catch (error) {
      fault = error instanceof FailureError ? error.failure.message : String(error)
      throw error instanceof FailureError ? unstarted(entry, error) : error
    } finally {
      starting = undefined
    }
  }
  return {
    entry,
    root,
    async ready(limit) {
      if (session) return session
      starting ??= start()
      return awaitWithin(starting, limit, `the start of ${entry.name}`)
    },
    running: () => session,
    suspect(since) {
      if (!session || session.client.heard() >= since) {
        silentSince = undefined
        return
      }
      silentSince = Math.min(silentSince ?? since, since)
      if (performance.now() - silentSince < patienceMs) return
      const silent = session
      session = undefined
      fault = 'it said nothing for too long'
      void silent.client.stop()
    },
    doubted: () => silentSince !== undefined && session !== undefined && session.client.heard() < silentSince,
    state: () => ({ starts, fault }),
    async stop() {
      // an open conversation gets its goodbye, a start that is under way is broken off
      if (!session) ending.abort()
      const last = session ?? (await starting?.catch(() => undefined))
      await last?.client.stop()
      ending.abort()
    },
  }
}

function endedBefore({ name }: LspServerEntry): FailureError {
  return new FailureError({ code: 'cancelled', message: `${name} was not started: the session ends` })
}

function spent(name: string, starts: number, fault = 'it ended'): FailureError {
  const message = `the language server ${name} was started ${starts} times and is given up: ${fault}`
  return new FailureError({ code: 'unavailable', message, hint: 'See `anode lsp doctor`.' })
}

/** A program that is there and does not come up is no more use than one that is not there. */
function unstarted({ name }: LspServerEntry, error: FailureError): FailureError {
  const { code, message } = error.failure
  if (code === 'cancelled' || code === 'unavailable') return error
  return new FailureError(
    {
      code: 'unavailable',
      message: `the language server ${name} does not start: ${message}`,
      hint: 'See `anode lsp doctor`.',
    },
    error,
  )
}
