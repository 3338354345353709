// Requests for the diagnostics of one file from its server: with a wait, without a wait, or after an edit.
import { setTimeout as sleep } from 'node:timers/promises'
import { FailureError, messageOf } from '../../base/errors.ts'
import type { LspReport, WrittenFile } from '../../tool/lsp.ts'
import type { LanguageServer } from '../language-server.ts'
import { describeReport, reportOf } from './diagnostic-report.ts'

/**
 * Time limit in milliseconds for the start of a server that a call without a wait (`waitMs` 0) has started.
 * The call itself returns after `startGlanceMs` at the latest, and the start continues.
 */
const startMs = 60_000

/**
 * Longest wait in milliseconds for a running server if the call has no wait (`waitMs` 0), or after an edit if
 * the server seems to hang. For other calls it is the shortest wait.
 */
const glanceMs = 300

/**
 * Longest time in milliseconds that a call without a wait spends on a server that it has just started: for
 * the start, then again for the file.
 */
const startGlanceMs = 1_500

/**
 * Returns the diagnostics. Waits at most `waitMs`, or 300 ms if that is longer; if the server had to start,
 * the wait may be up to 300 ms longer. With `waitMs` 0 and a server that is not running, waits at most 1.5 s
 * each for the start and the file. Rejects only when `signal` aborts or the session ends.
 */
export async function diagnoseFile(
  server: LanguageServer,
  file: string,
  waitMs: number,
  signal: AbortSignal,
): Promise<LspReport> {
  const base = { file, server: server.entry.name }
  // without a wait, a server that is not running is started; the call waits at most `startGlanceMs` for the
  // start, and again for the file
  if (waitMs === 0 && !server.running()) return glanceAtFile(server, file, signal)
  let since = performance.now()
  try {
    const end = since + waitMs
    const session = await server.ready({ timeoutMs: waitMs, signal })
    since = performance.now()
    const remainingMs = Math.max(glanceMs, end - since)
    const diagnosticState = await session.diagnose(file, { timeoutMs: remainingMs, signal })
    if (diagnosticState.standing !== 'fresh' && waitMs > 0) server.suspect(since)
    return { ...base, ...reportOf(diagnosticState, session, waitMs > 0) }
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.code === 'cancelled') throw error
    if (error.failure.code === 'timeout') server.suspect(since)
    const state = error.failure.code === 'timeout' ? (waitMs > 0 ? 'timeout' : 'pending') : 'failed'
    return { ...base, state, diagnostics: [], why: error.failure.message }
  }
}

async function glanceAtFile(server: LanguageServer, file: string, signal: AbortSignal): Promise<LspReport> {
  const base = { file, server: server.entry.name, diagnostics: [] }
  const why = `${server.entry.name} has just been started and has not looked at it yet`
  const started = server.ready({ timeoutMs: startMs, signal })
  const moment = sleep(startGlanceMs, undefined, { signal, ref: false })
  try {
    const session = await Promise.race([started, moment])
    if (!session) return { ...base, state: 'pending', why }
    const diagnosticState = await session.diagnose(file, { timeoutMs: startGlanceMs, signal })
    const report = reportOf(diagnosticState, session, false)
    return { ...base, ...report, why: report.state === 'pending' ? why : report.why }
  } catch (error) {
    if (signal.aborted || !(error instanceof FailureError)) throw error
    if (error.failure.code === 'timeout') return { ...base, state: 'pending', why }
    return { ...base, state: 'failed', why: error.failure.message }
  } finally {
    started.catch(() => undefined)
    moment.catch(() => undefined)
  }
}

/**
 * Returns a running server's lines about a written file, or a line about an unexpected error. Waits at most
 * `waitMs`, or 300 ms if the server has been silent since a timeout. Empty without a running server, without
 * an answer in time, and without a change to report.
 */
export async function describeEdit(
  server: LanguageServer | undefined,
  { path, shown: shownPath }: WrittenFile,
  waitMs: number,
  signal: AbortSignal,
): Promise<string[]> {
  const session = server?.running()
  if (!server || !session) return []
  const since = performance.now()
  const timeoutMs = server.doubted() ? glanceMs : waitMs
  try {
    const diagnosticState = await session.diagnose(path, { timeoutMs, signal })
    if (diagnosticState.standing !== 'fresh') server.suspect(since)
    return describeReport(shownPath, server.entry.name, reportOf(diagnosticState, session, true))
  } catch (error) {
    // the file is written already, so a failure of the server is skipped and only another error is reported
    if (!(error instanceof FailureError)) return [`${server.entry.name}: ${shownPath}: ${messageOf(error)}`]
    if (error.failure.code === 'timeout') server.suspect(since)
    return []
  }
}
