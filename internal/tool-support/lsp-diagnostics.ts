// Language server diagnostics as text and data, and whether there are any servers.
import { FailureError } from '../base/errors.ts'
import { resolvePath } from '../policy/paths/path-jail.ts'
import type { Ctx } from '../tool/ctx.ts'
import { type LspDiagnostic, type LspReport, type LspServers, lspSeverities } from '../tool/lsp.ts'
import type { ToolResult } from '../tool/result.ts'

const off = 'language servers are turned off here'

/** Returns true, or the reason why no language server is available. Tools use it as their `available`. */
export function checkLspAvailable(ctx: Ctx): true | string {
  return ctx.can.lsp?.usable() ?? off
}

/** Returns the language servers. Throws FailureError `unavailable` if they are turned off. */
export function requireLspServers(ctx: Ctx): LspServers {
  if (ctx.can.lsp) return ctx.can.lsp
  throw new FailureError({ code: 'unavailable', message: off })
}

/**
 * Returns a path as screens show it: relative to the workspace if it is inside, otherwise absolute. A path
 * that is relative or invalid is returned unchanged.
 */
export function shownPath(path: string, ctx: Ctx): string {
  if (!path.startsWith('/')) return path
  try {
    return resolvePath(ctx.cwd, ctx.policy.roots, path).shown
  } catch (error) {
    if (error instanceof FailureError) return path
    throw error
  }
}

interface DiagnosticsRequest {
  waitMs: number
  /** The only severity of diagnostics to include; undefined: all. */
  severity?: LspDiagnostic['severity']
}

/**
 * Returns the diagnostics of files as a result. `files` are real paths whose reading was already allowed. The
 * result is a failure only if for every file the server failed, did not answer in time, or is missing.
 */
export async function reportDiagnostics(
  ctx: Ctx,
  files: readonly string[],
  { waitMs, severity }: DiagnosticsRequest,
): Promise<ToolResult> {
  const reports = await requireLspServers(ctx).diagnose(files, waitMs, ctx.signal)
  const pathReports = reports.map(({ file, ...report }) => ({
    path: shownPath(file, ctx),
    ...report,
    diagnostics: report.diagnostics.filter((one) => severity === undefined || one.severity === severity),
  }))
  const text = pathReports.map((report) => formatReport(report, waitMs, severity)).join('\n')
  const data = { files: pathReports, severity: severity ?? 'any' }
  const bad = pathReports.filter(({ state }) => state === 'timeout' || state === 'failed' || state === 'none')
  if (pathReports.length === 0 || bad.length < pathReports.length) return { text, data }
  const code = bad.some(({ state }) => state === 'timeout') ? 'timeout' : 'unavailable'
  return { text: `error ${code}: ${text}`, data, failed: { code, message: text } }
}

type PathReport = Omit<LspReport, 'file'> & { path: string }

function formatReport(report: PathReport, waitMs: number, severity: string | undefined): string {
  const { path, state, server = '', diagnostics, change } = report
  if (state === 'none')
    return `${path}: ${report.why ?? 'no language server is responsible for this kind of file'}`
  if (state === 'failed') return `${path}: ${report.why ?? `${server} failed`}`
  if (state === 'pending') {
    return `${path}: ${report.why ?? `${server} has not reported on its present content`}; set wait`
  }
  if (state === 'timeout') {
    const why = report.why === undefined ? '' : ` (${report.why})`
    const what = `${server} did not report on its present content within ${waitMs} ms${why}`
    return `${path}: ${what}; ask again, with a longer wait_timeout_ms`
  }
  if (state === 'provisional') {
    const what = `${server} has sent a first empty list, which may not be its last word`
    return `${path}: none so far; ${what}: ask again with wait`
  }
  const delta = change ? ` (${change.added} new, ${change.fixed} fixed, ${change.unchanged} unchanged)` : ''
  const head = `${path}: ${describeCounts(diagnostics, severity)}${delta}`
  return [head, ...diagnostics.map((one) => formatDiagnostic(path, one))].join('\n')
}

function describeCounts(list: readonly LspDiagnostic[], severity: string | undefined): string {
  const counts = lspSeverities.flatMap((level) => {
    const count = list.filter((one) => one.severity === level).length
    return count === 0 ? [] : `${count} ${level}${count === 1 || level === 'info' ? '' : 's'}`
  })
  if (counts.length > 0) return counts.join(', ')
  return severity === undefined ? 'no diagnostics' : `nothing of severity ${severity}`
}

function formatDiagnostic(
  path: string,
  { line, character, severity, message, code, source, isNew }: LspDiagnostic,
): string {
  const from = [source, code].filter((part) => part !== undefined && part !== '').join(' ')
  const flat = message.replace(/\s*\n\s*/g, ' ')
  const place = `${path}:${line + 1}:${character + 1}`
  return `${place} ${severity}${isNew ? ' (new)' : ''} ${flat}${from ? ` [${from}]` : ''}`
}
