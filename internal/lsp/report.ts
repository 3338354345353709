// What is told of one file's diagnostics: in our own units, compared with the version before.
import type { LspReport } from '../tool/lsp.ts'
import { compare, type Said } from './diagnostics.ts'
import { fromServer } from './position.ts'
import type { Session, Stand } from './session.ts'

/** A stand in our own units, compared with the version before. */
export function reportOf(stand: Stand, { client }: Session, waited: boolean): Omit<LspReport, 'file'> {
  const { standing, list, before, document } = stand
  if (standing === 'pending') return { state: waited ? 'timeout' : 'pending', diagnostics: [] }
  if (standing === 'provisional') return { state: 'provisional', diagnostics: [] }
  const { isNew, fixed } = compare(list, before ?? [])
  const diagnostics = list.map((one: Said, i) => ({
    ...one,
    character: fromServer(document.lines[one.line], one.character, client.encoding),
    ...(before && { isNew: isNew[i] === true }),
  }))
  const added = isNew.filter((one) => one).length
  return {
    state: 'fresh',
    diagnostics,
    ...(before && { change: { added, fixed, unchanged: list.length - added } }),
  }
}

/** What an edit has done, when it is worth a line. */
export function sentence(shown: string, server: string, report: Omit<LspReport, 'file'>): string[] {
  const { state, change, diagnostics } = report
  if (state !== 'fresh') return []
  const grave = diagnostics.filter((one) => one.severity === 'error' || one.severity === 'warning')
  const news = grave.filter((one) => one.isNew ?? true)
  const [first] = news
  if (!first)
    return change && change.fixed > 0 ? [`${server}: ${shown}: ${change.fixed} fixed, none new`] : []
  const count = `${news.length} ${change ? 'new' : news.length === 1 ? 'problem' : 'problems'}`
  const fixed = change && change.fixed > 0 ? `, ${change.fixed} fixed` : ''
  const what = first.message.split('\n', 1)[0]?.slice(0, 200)
  return [
    `${server}: ${shown}: ${count}${fixed}; first ${first.line}:${first.character} ${first.severity} ${what}`,
  ]
}
