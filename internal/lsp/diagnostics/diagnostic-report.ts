// Report of one file's diagnostics, compared with its previous version, with columns that count
// UTF-16 code units.
import type { LspReport } from '../../tool/lsp.ts'
import type { DiagnosticState, LspSession } from '../lsp-session.ts'
import { fromServerColumn } from '../protocol/position-encoding.ts'
import { compareDiagnostics, type ServerDiagnostic } from './diagnostic-board.ts'

/**
 * Returns a report with columns in UTF-16 units that marks what is new since the previous version. While the
 * diagnostics are not complete, the report contains only a state.
 */
export function reportOf(
  diagnosticState: DiagnosticState,
  { client }: LspSession,
  waited: boolean,
): Omit<LspReport, 'file'> {
  const { standing, list, before, document } = diagnosticState
  if (standing === 'pending') return { state: waited ? 'timeout' : 'pending', diagnostics: [] }
  if (standing === 'provisional') return { state: 'provisional', diagnostics: [] }
  const { isNew, fixed } = compareDiagnostics(list, before ?? [])
  const diagnostics = list.map((one: ServerDiagnostic, i) => ({
    ...one,
    character: fromServerColumn(document.lines[one.line], one.character, client.encoding),
    isNew: before ? isNew[i] === true : undefined,
  }))
  const added = isNew.filter((one) => one).length
  return {
    state: 'fresh',
    diagnostics,
    change: before ? { added, fixed, unchanged: list.length - added } : undefined,
  }
}

/**
 * Returns one line about the errors and warnings that an edit caused, or about how many it fixed. Without an
 * earlier version, all of them count as caused. Empty if the report is not complete, or has neither.
 */
export function describeReport(shownPath: string, server: string, report: Omit<LspReport, 'file'>): string[] {
  const { state, change, diagnostics } = report
  if (state !== 'fresh') return []
  const grave = diagnostics.filter((one) => one.severity === 'error' || one.severity === 'warning')
  const news = grave.filter((one) => one.isNew ?? true)
  const [first] = news
  if (!first)
    return change && change.fixed > 0 ? [`${server}: ${shownPath}: ${change.fixed} fixed, none new`] : []
  const count = `${news.length} ${change ? 'new' : news.length === 1 ? 'problem' : 'problems'}`
  const fixed = change && change.fixed > 0 ? `, ${change.fixed} fixed` : ''
  const what = first.message.split('\n', 1)[0]?.slice(0, 200)
  const place = `${shownPath}:${first.line + 1}:${first.character + 1}`
  return [`${server}: ${shownPath}: ${count}${fixed}; first ${place} ${first.severity} ${what}`]
}
