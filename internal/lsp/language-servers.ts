// All language servers of one workspace as tools see them: which one is asked, and what becomes of its
// answers.
import { setTimeout as sleep } from 'node:timers/promises'
import { FailureError, messageOf } from '../base/errors.ts'
import { isWithin as lies } from '../policy/paths/path-jail.ts'
import { isSensitive } from '../policy/paths/sensitive-names.ts'
import type { SpawnProcess } from '../process/process-command.ts'
import type { LspAnswer, LspHit, LspQuery, LspReport, LspServers } from '../tool/lsp.ts'
import type { IdleServer } from './config/server-entries.ts'
import { type LspServerEntry, languageOf } from './config/server-entry.ts'
import { describeReport, reportOf } from './diagnostics/diagnostic-report.ts'
import { createServer, type LanguageServer, type ServerPatience } from './language-server.ts'
import { askServer, type OperationPlace, operationRequests } from './lsp-operations.ts'
import type { LspSession } from './lsp-session.ts'
import { findProbeFile } from './probe-file.ts'
import { fromServerColumn, toServerColumn } from './protocol/position-encoding.ts'
import type { WaitLimit } from './wait-limit.ts'

export interface LanguageServersOptions {
  entries: readonly LspServerEntry[]
  /** Servers that are not in use, for those who ask about their files. */
  idle?: readonly IdleServer[]
  /** The workspace and the directories added to it, real paths; each has its own servers. */
  roots: readonly string[]
  spawn: SpawnProcess
  patience?: ServerPatience
  /** How long an edit waits for what a running server makes of it. */
  editMs?: number
}

/** From the first call to the answer, the start of the server included. */
const queryMs = 60_000

export interface LanguageServers extends Omit<LspServers, 'usable'> {
  /** Every server that was needed so far. */
  started(): readonly LanguageServer[]
  /** The server for a file, started or not. */
  of(file: string): LanguageServer | undefined
  stop(): Promise<void>
}

export function openLspServers({
  entries,
  idle = [],
  roots,
  spawn,
  patience,
  editMs = 2_000,
}: LanguageServersOptions): LanguageServers {
  const made = new Map<string, LanguageServer>()

  const serverIn = (entry: LspServerEntry, root: string): LanguageServer => {
    const key = `${entry.name}\0${root}`
    const there = made.get(key) ?? createServer(entry, root, spawn, patience)
    made.set(key, there)
    return there
  }
  const of = (file: string) => {
    const entry = entries.find((one) => languageOf(one, file) !== undefined)
    const root = roots.find((dir) => lies(file, dir))
    return entry && root !== undefined ? serverIn(entry, root) : undefined
  }
  const everywhere = () =>
    roots.flatMap((root) =>
      entries.flatMap((entry) => {
        const sample = findProbeFile(
          root,
          (path) => languageOf(entry, path) !== undefined && !isSensitive(path),
        )
        return sample === undefined ? [] : [{ server: serverIn(entry, root), file: sample }]
      }),
    )
  const query = async (query: LspQuery, signal: AbortSignal): Promise<LspAnswer> => {
    const limit = { timeoutMs: queryMs, signal }
    if (query.file !== undefined) {
      const server = of(query.file)
      if (!server) throw unserved(query.file, entries, idle)
      return put(server, query.file, query, limit)
    }
    const notes: string[] = []
    const unoffered: string[] = []
    const replies = await Promise.all(
      everywhere().map(async ({ server, file }) =>
        put(server, file, query, limit).catch((error: unknown) => {
          if (!(error instanceof FailureError)) throw error
          // one that has no such thing to offer is only worth a word when no other has
          const { message, detail } = error.failure
          if (detail?.offered === false) unoffered.push(message)
          else notes.push(message)
          return undefined
        }),
      ),
    )
    const all = replies.filter((answer) => answer !== undefined)
    if (all.length === 0) notes.push(...unoffered)
    if (all.length === 0 && notes.length === 0) throw unserved(undefined, entries, idle)
    if (all.length === 0) throw new FailureError({ code: 'unavailable', message: notes.join('; ') })
    return { servers: all.flatMap((one) => one.servers), hits: all.flatMap((one) => one.hits), notes }
  }
  const diagnose = async (file: string, waitMs: number, signal: AbortSignal): Promise<LspReport> => {
    const server = of(file)
    if (!server) return { file, state: 'none', diagnostics: [], ...whyIdle(file, idle) }
    const base = { file, server: server.entry.name }
    // without waiting, a server that is not there yet is told to start and given a moment
    if (waitMs === 0 && !server.running()) return glance(server, file, signal)
    let since = performance.now()
    try {
      const end = since + waitMs
      const session = await server.ready({ timeoutMs: waitMs, signal })
      since = performance.now()
      const left = Math.max(glanceMs, end - since)
      const diagnosticState = await session.diagnose(file, { timeoutMs: left, signal })
      if (diagnosticState.standing !== 'fresh' && waitMs > 0) server.suspect(since)
      return { ...base, ...reportOf(diagnosticState, session, waitMs > 0) }
    } catch (error) {
      if (!(error instanceof FailureError) || error.failure.code === 'cancelled') throw error
      if (error.failure.code === 'timeout') server.suspect(since)
      const state = error.failure.code === 'timeout' ? (waitMs > 0 ? 'timeout' : 'pending') : 'failed'
      return { ...base, state, diagnostics: [], why: error.failure.message }
    }
  }
  const glance = async (server: LanguageServer, file: string, signal: AbortSignal): Promise<LspReport> => {
    const base = { file, server: server.entry.name, diagnostics: [] }
    const why = `${server.entry.name} has just been started and has not looked at it yet`
    const started = server.ready({ timeoutMs: queryMs, signal })
    const moment = sleep(startGlanceMs, undefined, { signal, ref: false })
    try {
      const session = await Promise.race([started, moment])
      if (!session) return { ...base, state: 'pending', why }
      const diagnosticState = await session.diagnose(file, { timeoutMs: startGlanceMs, signal })
      const report = reportOf(diagnosticState, session, false)
      return { ...base, ...report, ...(report.state === 'pending' && { why }) }
    } catch (error) {
      if (signal.aborted || !(error instanceof FailureError)) throw error
      if (error.failure.code === 'timeout') return { ...base, state: 'pending', why }
      return { ...base, state: 'failed', why: error.failure.message }
    } finally {
      started.catch(() => undefined)
      moment.catch(() => undefined)
    }
  }
  return {
    query,
    diagnose: (files, waitMs, signal) => Promise.all(files.map((file) => diagnose(file, waitMs, signal))),
    known: () => [...made.values()].flatMap((server) => server.running()?.board.paths() ?? []),
    async edited(files, signal) {
      for (const server of made.values()) {
        const inside = files.filter(({ path }) => lies(path, server.root))
        if (inside.length > 0) server.running()?.touched(inside)
      }
      const reports = files.map(async ({ path, shown }) => {
        const server = of(path)
        const session = server?.running()
        if (!server || !session) return []
        const since = performance.now()
        const timeoutMs = server.doubted() ? glanceMs : editMs
        try {
          const diagnosticState = await session.diagnose(path, { timeoutMs, signal })
          if (diagnosticState.standing !== 'fresh') server.suspect(since)
          return describeReport(shown, server.entry.name, reportOf(diagnosticState, session, true))
        } catch (error) {
          // the file is written, whatever a server makes of it
          if (!(error instanceof FailureError)) return [`${server.entry.name}: ${shown}: ${messageOf(error)}`]
          if (error.failure.code === 'timeout') server.suspect(since)
          return []
        }
      })
      return (await Promise.all(reports)).flat()
    },
    started: () => [...made.values()],
    of,
    async stop() {
      await Promise.all([...made.values()].map((server) => server.stop()))
    },
  }
}

/** What a call that does not wait spends on a server that runs. */
const glanceMs = 300

/** What such a call spends on one that it has just started: to come up, and then to look at the file. */
const startGlanceMs = 1_500

/**
 * How long after its handshake an empty answer of a server is not believed at once, and when to ask again.
 */
const youngMs = 3_000
const retryMs = 250

/** Opens the file, asks, and turns the answer into our own units. */
async function put(
  server: LanguageServer,
  file: string,
  query: LspQuery,
  limit: WaitLimit,
): Promise<LspAnswer> {
  const end = performance.now() + limit.timeoutMs
  const left = (): WaitLimit => ({ ...limit, timeoutMs: end - performance.now() })
  let since = performance.now()
  try {
    const session = await server.ready(limit)
    since = performance.now()
    if (operationRequests[query.operation].wide) await session.warm(file, left())
    const document = await session.sync(file, left())
    const { encoding } = session.client
    const { at, text, includeDeclaration } = query
    if (operationRequests[query.operation].needs === 'position' && !at) {
      throw new FailureError({ code: 'bad_args', message: `${query.operation} needs line and character` })
    }
    if (at && at.line >= document.lines.length) {
      const last = document.lines.length - 1
      const message = `there is no line ${at.line}: counted from 0 the last one is ${last}`
      throw new FailureError({ code: 'bad_args', message })
    }
    const position = at && {
      line: at.line,
      character: toServerColumn(document.lines[at.line], at.character, encoding),
    }
    const { uri, path } = document
    const question = { uri, path, text, includeDeclaration, ...(position && { position }) }
    const put = () => askServer(query.operation, session, server.entry.name, question, left())
    let answer = await put()
    // a server that still reads the project finds nothing, and does not say why
    while (answer.places.length === 0 && !answer.text && session.age() < youngMs) {
      await sleep(retryMs, undefined, { signal: limit.signal })
      answer = await put()
    }
    const hits = await Promise.all(answer.places.map((place) => hitOf(place, session, query)))
    return {
      servers: [server.entry.name],
      hits,
      notes: [],
      ...(answer.text !== undefined && { text: answer.text }),
    }
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

function unserved(
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

/** The server that would be for the file if it were in use. */
function whyIdle(file: string, idle: readonly IdleServer[]): { why?: string } {
  const one = idle.find((server) => languageOf(server, file) !== undefined)
  return one ? { why: `the language server ${one.name} is not in use: ${one.why}` } : {}
}
