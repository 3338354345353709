// Overview of the source files for the model that makes the plan: directories with the number of their
// files, the first names, and the documents that are not read.
import { countNoun } from '../../base/text/count-noun.ts'
import { quoteForShell } from '../../base/text/quoting/shell-word.ts'
import { describeUnreadKind, documentKindOf, isPackedDocument } from '../../document/document-kind.ts'
import { studyReportSkipped } from '../../text-analysis/study-report.ts'
import type { SkippedSource } from '../log/study-conditions.ts'

/**
 * Largest number of directories in the overview, of file names that are listed for a directory, and of
 * characters of a line.
 */
const maxDirectories = 40
const maxNames = 8
const maxChars = 160

/**
 * Largest depth of the directories that get separate lines. Files in deeper ones count in the line of
 * a directory above.
 */
const maxDepth = 4

/**
 * Returns one line for each directory, as deep as `maxDepth` and 40 lines allow; deeper files count in the
 * line of the directory above. If even the first level has more than 40 directories, a last line counts those
 * with the fewest files. `paths` is sorted.
 */
export function drawSourceMap(paths: readonly string[]): string {
  let groups = groupFiles(paths, 1)
  for (let depth = 2; depth <= maxDepth; depth++) {
    const deeper = groupFiles(paths, depth)
    if (deeper.size > maxDirectories) break
    groups = deeper
  }
  const largest = [...groups].sort(([, a], [, b]) => b.length - a.length).slice(0, maxDirectories)
  const descriptions = largest
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([dir, names]) => describeGroup(dir, names))
  const rest = groups.size - descriptions.length
  return [
    ...descriptions,
    ...(rest > 0 ? [`and ${countNoun(rest, 'more directory', 'more directories')}`] : []),
  ].join('\n')
}

/** Returns the names of files by their directory, which has at most `depth` parts. */
function groupFiles(paths: readonly string[], depth: number): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const path of paths) {
    const parts = path.split('/')
    const dir = parts.slice(0, Math.min(depth, parts.length - 1)).join('/')
    const names = groups.get(dir) ?? []
    if (names.length === 0) groups.set(dir, names)
    names.push(dir === '' ? path : path.slice(dir.length + 1))
  }
  return groups
}

function describeGroup(dir: string, names: readonly string[]): string {
  const more = names.length > maxNames ? ', …' : ''
  const count = countNoun(names.length, 'file')
  const line = `${dir === '' ? '.' : dir}/ ${count}: ${names.slice(0, maxNames).join(', ')}${more}`
  const plain = line.replace(/\p{Cc}/gu, ' ')
  return plain.length > maxChars ? `${plain.slice(0, maxChars)}…` : plain
}

/** Largest number of documents that are listed by name. Of further ones, only the number is given. */
const maxNamed = 8

/**
 * Separates documents, folders of documents, and reports of earlier studies from other skipped files.
 * Returns lines about the documents and folders, such as `skipped report.pdf: it is encrypted`, and one
 * about all reports.
 */
export function describeSkippedDocuments(skipped: readonly SkippedSource[]): {
  lines: string[]
  others: SkippedSource[]
} {
  const isDocument = ({ path, why }: SkippedSource) =>
    why !== studyReportSkipped &&
    (path.endsWith('/') || documentKindOf(path) !== undefined || describeUnreadKind(path) !== undefined)
  const documents = skipped.filter(isDocument)
  const lines = documents.slice(0, maxNamed).map(({ path, why }) => `skipped ${path}: ${why}`)
  const moreCount = documents.length - maxNamed
  if (moreCount > 0)
    lines.push(
      `skipped ${countNoun(moreCount, 'more document')}; the report names ${moreCount === 1 ? 'it' : 'them'}`,
    )
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
  const moreCount = reports.length - named.length
  const names = [...named, ...(moreCount > 0 ? [`${moreCount} more`] : [])].join(', ')
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
  const word = /^[\w./-]+$/.test(path) ? path : quoteForShell(path)
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
  const moreCount = skipped.length - named.length
  return ` (${[...named, ...(moreCount > 0 ? [`${moreCount} more`] : [])].join('; ')})`
}
