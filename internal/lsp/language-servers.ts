// All language servers of one workspace for tools: selection of the server, and conversion of its answers.
import { setTimeout as sleep } from 'node:timers/promises'
import { FailureError } from '../base/errors.ts'
import { isWithin as lies } from '../policy/paths/path-jail.ts'
import { isSensitive } from '../policy/paths/sensitive-names.ts'
import type { SpawnProcess } from '../process/process-command.ts'
import type { LspAnswer, LspHit, LspQuery, LspReport, LspServers } from '../tool/lsp.ts'
import type { IdleServer } from './config/server-entries.ts'
import { type LspServerEntry, languageOf } from './config/server-entry.ts'
import { describeEdit, diagnoseFile } from './diagnostics/file-diagnosis.ts'
import { createServer, type LanguageServer, type ServerPatience } from './language-server.ts'
import { askServer, type OperationPlace, operationRequests } from './lsp-operations.ts'
import type { LspSession } from './lsp-session.ts'
import { findProbeFile } from './probe-file.ts'
import { fromServerColumn, toServerColumn } from './protocol/position-encoding.ts'
import type { WaitLimit } from './wait-limit.ts'

export interface LanguageServersOptions {
  entries: readonly LspServerEntry[]
  /** Unusable servers, for calls about their files. */
  idle?: readonly IdleServer[]
  /** The workspace and its added directories as real paths; each has its own servers. */
  roots: readonly string[]
  spawn: SpawnProcess
  patience?: ServerPatience
  /** Longest time in milliseconds that an edit waits for a running server's diagnostics. Default: 2,000. */
  editMs?: number
}

/** Longest time in milliseconds from the call to the answer, including the start of the server. */
const queryMs = 60_000

export interface LanguageServers extends Omit<LspServers, 'usable'> {
  /** Returns every server that a call has selected so far, even if it does not run. */
  started(): readonly LanguageServer[]
  /**
   * Returns the server for a file, started or not; undefined if none supports the file or the file is
   * outside the roots.
   */
  of(file: string): LanguageServer | undefined
  stop(): Promise<void>
}

export function openLspServers(options: LanguageServersOptions): LanguageServers {
  const { entries, idle = [], editMs = 2_000 } = options
  const pool = new ServerPool(options)
  const { servers } = pool
  return {
    async query(query, signal) {
      const limit = { timeoutMs: queryMs, signal }
      if (query.file === undefined)
        return queryAll(pool.everywhere(), query, limit, () => createNoServerError(undefined, entries, idle))
      const server = pool.of(query.file)
      if (!server) throw createNoServerError(query.file, entries, idle)
      return queryServer(server, query.file, query, limit)
    },
    diagnose: (files, waitMs, signal) =>
      Promise.all(
        files.map(async (file): Promise<LspReport> => {
          const server = pool.of(file)
          if (server) return diagnoseFile(server, file, waitMs, signal)
          return { file, state: 'none', diagnostics: [], ...whyIdle(file, idle) }
        }),
      ),
    known: () => [...servers.values()].flatMap((server) => server.running()?.board.paths() ?? []),
    async edited(files, signal) {
      for (const server of servers.values()) {
        const inside = files.filter(({ path }) => lies(path, server.root))
        if (inside.length > 0) server.running()?.touched(inside)
      }
      const notes = files.map((file) => describeEdit(pool.of(file.path), file, editMs, signal))
      return (await Promise.all(notes)).flat()
    },
    started: () => [...servers.values()],
    of: (file) => pool.of(file),
    async stop() {
      await Promise.all([...servers.values()].map((server) => server.stop()))
    },
  }
}

/**
 * A server and any file of its language. The file is opened before a query about the whole workspace, because
 * some servers need an open file.
 */
interface ProbedServer {
  server: LanguageServer
  file: string
}

/** The language servers of all root directories, each created on first use. */
class ServerPool {
  readonly servers = new Map<string, LanguageServer>()
  readonly #options: LanguageServersOptions

  constructor(options: LanguageServersOptions) {
    this.#options = options
  }

  of(file: string): LanguageServer | undefined {
    const { entries, roots } = this.#options
    const entry = entries.find((one) => languageOf(one, file) !== undefined)
    const root = roots.find((dir) => lies(file, dir))
    return entry && root !== undefined ? this.#serverIn(entry, root) : undefined
  }

  everywhere(): ProbedServer[] {
    const { entries, roots } = this.#options
    return roots.flatMap((root) =>
      entries.flatMap((entry) => {
        const sample = findProbeFile(
          root,
          (path) => languageOf(entry, path) !== undefined && !isSensitive(path),
        )
        return sample === undefined ? [] : [{ server: this.#serverIn(entry, root), file: sample }]
      }),
    )
  }

  #serverIn(entry: LspServerEntry, root: string): LanguageServer {
    const key = `${entry.name}\0${root}`
    const { spawn, patience } = this.#options
    const there = this.servers.get(key) ?? createServer(entry, root, spawn, patience)
    this.servers.set(key, there)
    return there
  }
}

/**
 * Returns the merged answers of all servers, in order. If none answers, also after a bad argument or a
 * timeout, throws FailureError `unavailable` with the reasons of the servers, or without any reason the error
 * that `none` returns.
 */
async function queryAll(
  probed: readonly ProbedServer[],
  query: LspQuery,
  limit: WaitLimit,
  none: () => FailureError,
): Promise<LspAnswer> {
  const notes: string[] = []
  const unoffered: string[] = []
  const replies = await Promise.all(
    probed.map(async ({ server, file }) =>
      queryServer(server, file, query, limit).catch((error: unknown) => {
        if (!(error instanceof FailureError)) throw error
        // a server without this feature is only mentioned if no other server has it
        const { message, detail } = error.failure
        if (detail?.offered === false) unoffered.push(message)
        else notes.push(message)
        return undefined
      }),
    ),
  )
  const all = replies.filter((answer) => answer !== undefined)
  if (all.length === 0) notes.push(...unoffered)
  if (all.length === 0 && notes.length === 0) throw none()
  if (all.length === 0) throw new FailureError({ code: 'unavailable', message: notes.join('; ') })
  return { servers: all.flatMap((one) => one.servers), hits: all.flatMap((one) => one.hits), notes }
}

/**
 * Milliseconds after the handshake in which an empty answer is queried again, and the pause between queries.
 */
const youngMs = 3_000
const retryMs = 250

/**
 * Opens the file, queries the server, and converts the columns of its answer to UTF-16 units. An empty answer
 * of a server younger than 3 s is requested again. Rejects with FailureError: `bad_args` for a missing
 * position and for a line after the last one, and other codes such as `timeout`.
 */
async function queryServer(
  server: LanguageServer,
  file: string,
  query: LspQuery,
  limit: WaitLimit,
): Promise<LspAnswer> {
  const end = performance.now() + limit.timeoutMs
  const remainingLimit = (): WaitLimit => ({ ...limit, timeoutMs: end - performance.now() })
  let since = performance.now()
  try {
    const session = await server.ready(limit)
    since = performance.now()
    if (operationRequests[query.operation].wide) await session.warm(file, remainingLimit())
    const document = await session.sync(file, remainingLimit())
    const { encoding } = session.client
    const { at, text, includeDeclaration } = query
    if (operationRequests[query.operation].needs === 'position' && !at) {
      throw new FailureError({
        code: 'bad_args',
        message: `${query.operation} needs \`line_number\` and column`,
      })
    }
    if (at && at.line >= document.lines.length) {
      const message = `line ${at.line + 1} not found: the last line of the file is ${document.lines.length}`
      throw new FailureError({ code: 'bad_args', message })
    }
    const position = at && {
      line: at.line,
      character: toServerColumn(document.lines[at.line], at.character, encoding),
    }
    const { uri, path } = document
    const question = { uri, path, text, includeDeclaration, position }
    const ask = () => askServer(query.operation, session, server.entry.name, question, remainingLimit())
    let answer = await ask()
    // a server that is still reading the project returns an empty answer without a reason, so it
    // is queried again
    while (answer.places.length === 0 && !answer.text && session.age() < youngMs) {
      await sleep(retryMs, undefined, { signal: limit.signal })
      answer = await ask()
    }
    const hits = await Promise.all(answer.places.map((place) => hitOf(place, session, query)))
    return { servers: [server.entry.name], hits, notes: [], text: answer.text }
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === 'timeout') server.suspect(since)
    throw error
  }
}

async function hitOf(place: OperationPlace, { client }: LspSession, query: LspQuery): Promise<LspHit> {
  if (client.encoding === 'utf-16') return place
  const lines = await query.lines(place.path)
  return { ...place, character: fromServerColumn(lines?.[place.line], place.character, client.encoding) }
}

function createNoServerError(
  file: string | undefined,
  entries: readonly LspServerEntry[],
  idle: readonly IdleServer[],
): FailureError {
  const names = entries.map((entry) => entry.name).join(', ')
  const { why } = file === undefined ? {} : whyIdle(file, idle)
  const message =
    file === undefined
      ? 'the workspace has no file that a language server is there for'
      : (why ?? 'no language server is configured or found for this kind of file')
  return new FailureError({
    code: 'unavailable',
    message,
    hint: `There are: ${names || 'none'}. Use grep or finder.`,
  })
}

/**
 * Returns in `why` the reason why the first server for the file in `idle` is not usable; an empty object
 * without such a server.
 */
function whyIdle(file: string, idle: readonly IdleServer[]): { why?: string } {
  const one = idle.find((server) => languageOf(server, file) !== undefined)
  return one ? { why: `the language server ${one.name} is not in use: ${one.why}` } : {}
}
