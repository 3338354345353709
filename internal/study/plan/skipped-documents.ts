// Early notices about documents that a study cannot read, because users expect a study to read them.
import { countNoun } from '../../base/text/count-noun.ts'
import { describeUnreadKind, documentKindOf, isPackedDocument } from '../../document/document-kind.ts'
import { studyReportSkipped } from '../../text-analysis/study-report.ts'
import type { SkippedSource } from '../log/entries.ts'

/** Largest number of documents that are listed by name. Of further ones, only the number is given. */
const maxNamed = 8

/**
 * Separates documents and reports of earlier studies from other skipped files. Returns lines about the
 * documents, such as `skipped report.pdf: it is encrypted`, and one about all reports.
 */
export function describeSkippedDocuments(skipped: readonly SkippedSource[]): {
  lines: string[]
  others: SkippedSource[]
} {
  const isDocument = ({ path, why }: SkippedSource) =>
    why !== studyReportSkipped &&
    (documentKindOf(path) !== undefined || describeUnreadKind(path) !== undefined)
  const documents = skipped.filter(isDocument)
  const lines = documents.slice(0, maxNamed).map(({ path, why }) => `skipped ${path}: ${why}`)
  const left = documents.length - maxNamed
  if (left > 0) lines.push(`skipped ${left} more documents; the report names them`)
  const reports = skipped.filter(({ why }) => why === studyReportSkipped)
  if (reports.length > 0) lines.push(describeReports(reports))
  return { lines, others: skipped.filter((one) => !isDocument(one) && !reports.includes(one)) }
}

/**
 * Returns a line that names at most three reports of earlier studies and counts the others, with the command
 * that reads the first one.
 */
function describeReports(reports: readonly SkippedSource[]): string {
  const [first = ''] = reports.map(({ path }) => path)
  const named = reports.slice(0, maxReasons).map(({ path }) => path)
  const left = reports.length - named.length
  const names = [...named, ...(left > 0 ? [`${left} more`] : [])].join(', ')
  const count = countNoun(
    reports.length,
    'earlier report that quotes other files',
    'earlier reports that quote other files',
  )
  const which = reports.length === 1 ? 'it' : 'the first'
  return `skipped ${count}: ${names}; to read ${which}: ${readCommand(first)}`
}

/** Returns the command that reads a file, with the path as one word of a shell. */
function readCommand(path: string): string {
  const word = /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
  return `anode tools use ${isPackedDocument(path) ? 'read_document' : 'read'} ${word}`
}

/** Returns the next step if no file could be read. Reports of earlier studies can be read one by one. */
export function adviseUnread(skipped: readonly SkippedSource[]): string {
  const reports = skipped.filter(({ why }) => why === studyReportSkipped)
  const other = 'name another one with --root'
  const [first] = reports
  if (first === undefined) return other
  return `${other}; to read ${reports.length === 1 ? 'it' : 'the first'}: ${readCommand(first.path)}`
}

/** Largest number of files that one line names with their reasons. Further files are only counted. */
const maxReasons = 3

/**
 * Returns a text such as ` (a.pdf: it is encrypted; 3 more)` about files that were not read, at most three by
 * name. Empty if all were read.
 */
export function describeUnread(skipped: readonly SkippedSource[]): string {
  if (skipped.length === 0) return ''
  const named = skipped.slice(0, maxReasons).map(({ path, why }) => `${path}: ${why}`)
  const left = skipped.length - named.length
  return ` (${[...named, ...(left > 0 ? [`${left} more`] : [])].join('; ')})`
}
