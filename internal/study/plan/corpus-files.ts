// Names of the files of a study's corpus, by git or by a walk through the directory.
import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, FailureError } from '../../base/errors.ts'
import { describeUnreadKind, documentKindOf } from '../../document/document-kind.ts'
import { gitFailure, runHardenedGit } from '../../process/git/git.ts'
import type { RunCommand } from '../../process/process-command.ts'
import type { SkippedSource } from '../log/study-conditions.ts'

export interface CorpusFiles {
  /** Paths of the files, sorted and without duplicates. */
  names: string[]
  /**
   * Documents that git ignores, if the root is the top of a repository, and in any repository the folders
   * that git ignores as a whole and in which such documents are. The path of a folder ends in a slash.
   */
  skipped: SkippedSource[]
}

/**
 * Lists the files that git knows or does not ignore; outside of a repository or without git, all files that
 * are not hidden or in `node_modules`. Below the top of a repository, documents that git ignores without
 * their folder count too, and all files if git knows no file there, because the user chose that root. At the
 * top, such documents are listed as skipped, and everywhere the ignored folders that directly contain
 * documents. Rejects with FailureError if git does not finish.
 */
export async function listCorpus(
  root: string,
  run: RunCommand | undefined,
  signal: AbortSignal | undefined,
): Promise<CorpusFiles> {
  const prefix = run && (await askGit(root, run, ['rev-parse', '--show-prefix'], signal))
  if (!run || prefix === undefined)
    return { names: [...new Set(listFilesBelow(root, ''))].sort(), skipped: [] }
  const ask = (args: string[]) => askGit(root, run, args, signal)
  const gitNames = splitNames(await ask(['ls-files', '-z', '--cached', '--others', '--exclude-standard']))
  const isTop = prefix.trim() === ''
  if (!isTop && gitNames.length === 0) return { names: listFilesBelow(root, '').sort(), skipped: [] }
  const ignored = await ask(['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'])
  const ignoredNames = splitNames(ignored)
  const documents = ignoredNames.filter(isDocument)
  const folders = listDocumentFolders(root, ignoredNames).map((path) => ({ path, why: folderSkipped }))
  if (!isTop) return { names: [...new Set([...gitNames, ...documents])].sort(), skipped: folders }
  const why = 'ignored by git; name its folder with --root'
  const skipped = [...documents.map((path) => ({ path, why })), ...folders]
  return { names: [...new Set(gitNames)].sort(), skipped }
}

const folderSkipped = 'a folder with documents, ignored by git; name it with --root'

/**
 * Returns the folders among the names that git ignores as a whole and that directly contain a document. Their
 * subfolders are not read. Hidden folders and folders called `node_modules` are left out.
 */
function listDocumentFolders(root: string, ignoredNames: readonly string[]): string[] {
  const sorted = ignoredNames.toSorted()
  return sorted.filter((name, i) => {
    // git also lists folders in which it ignores each file by itself; the files then follow
    if (!name.endsWith('/') || sorted[i + 1]?.startsWith(name)) return false
    if (name.split('/').some((part) => part.startsWith('.') || part === 'node_modules')) return false
    return entriesOf(join(root, name)).some((entry) => entry.isFile() && isDocument(entry.name))
  })
}

/**
 * Returns true if a file is a document by its name, even if no tool can read it. HTML pages and tables never
 * count, because those that git ignores are usually generated.
 */
const isDocument = (name: string): boolean => {
  const kind = documentKindOf(name)
  return (kind !== undefined && kind !== 'html' && kind !== 'table') || describeUnreadKind(name) !== undefined
}

const splitNames = (text: string | undefined): string[] =>
  (text ?? '').split('\0').filter((name) => name !== '')

/**
 * Runs git and returns its output. Returns undefined if git exits with an error, as outside of a
 * repository, for an output that is too long, and if git is not installed. Rejects with FailureError if git
 * does not finish.
 */
async function askGit(
  root: string,
  run: RunCommand,
  args: string[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  try {
    const outcome = await runHardenedGit(run, root, args, { keepBytes: 64 << 20, signal })
    const { exit, stdout, ended: endReason } = outcome
    if (endReason !== undefined) throw gitFailure(args[0] ?? '', outcome)
    return exit === 0 && !stdout.cut ? stdout.text : undefined
  } catch (error) {
    // Git is not installed, so the directory is walked instead.
    if (error instanceof FailureError && error.failure.code === 'not_found') return undefined
    throw error
  }
}

/** Lists files and links, without hidden entries and entries called `node_modules`. */
function listFilesBelow(root: string, below: string): string[] {
  return entriesOf(join(root, below)).flatMap((entry) => {
    const name = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.name.startsWith('.') || entry.name === 'node_modules') return []
    if (entry.isDirectory()) return listFilesBelow(root, name)
    return entry.isFile() || entry.isSymbolicLink() || isDocument(name) ? [name] : []
  })
}

/**
 * Returns the entries of a directory. One that cannot be read counts as empty, because no tool could read
 * its files either.
 */
function entriesOf(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return []
  }
}
