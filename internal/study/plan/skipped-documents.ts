// Early notices about documents that a study cannot read, because users expect a study to read them.
import { describeUnreadKind, documentKindOf } from '../../document/document-kind.ts'
import { studyReportSkipped } from '../../text-analysis/study-report.ts'
import type { SkippedSource } from '../log/entries.ts'

/** Largest number of documents that are listed by name. Of further ones, only the number is given. */
const maxNamed = 8

/**
 * Separates documents from other skipped files, and returns a line about each document, such as `skipped
 * report.pdf: it is encrypted`.
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
  return { lines, others: skipped.filter((one) => !isDocument(one)) }
}

/** Largest number of files whose reasons fit in one line. */
const maxReasons = 3

/** Returns ` (a.pdf: it is encrypted; 3 more)` about files that were not read; an empty text if all were. */
export function describeUnread(skipped: readonly SkippedSource[]): string {
  if (skipped.length === 0) return ''
  const named = skipped.slice(0, maxReasons).map(({ path, why }) => `${path}: ${why}`)
  const left = skipped.length - named.length
  return ` (${[...named, ...(left > 0 ? [`${left} more`] : [])].join('; ')})`
}
