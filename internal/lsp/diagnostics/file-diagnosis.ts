// The diagnostics of one file by its server: waited for, at one glance, or after an edit.
import { setTimeout as sleep } from 'node:timers/promises'
import { FailureError, messageOf } from '../../base/errors.ts'
import type { LspReport, WrittenFile } from '../../tool/lsp.ts'
import type { LanguageServer } from '../language-server.ts'
import { describeReport, reportOf } from './diagnostic-report.ts'

/** How long a start may take that a call which does not wait has begun. */
const startMs = 60_000

/** What a call that does not wait spends on a server that runs. */
const glanceMs = 300

/** What such a call spends on one that it has just started: to come up, and then to look at the file. */
const startGlanceMs = 1_500

/** With `waitMs` 0 what is known now. Rejects only when `signal` aborts. */
export async function diagnoseFile(
  server: LanguageServer,
  file: string,
  waitMs: number,
  signal: AbortSignal,
): Promise<LspReport> {
  const base = { file, server: server.entry.name }
  // without waiting, a server that is not there yet is told to start and given a moment
  if (waitMs === 0 && !server.running()) return glanceAtFile(server, file, signal)
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

/** What a running server makes of a written file within `waitMs`; nothing when there is none that runs. */
export async function describeEdit(
  server: LanguageServer | undefined,
  { path, shown }: WrittenFile,
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
    return describeReport(shown, server.entry.name, reportOf(diagnosticState, session, true))
  } catch (error) {
    // the file is written, whatever a server makes of it
    if (!(error instanceof FailureError)) return [`${server.entry.name}: ${shown}: ${messageOf(error)}`]
    if (error.failure.code === 'timeout') server.suspect(since)
    return []
  }
}
