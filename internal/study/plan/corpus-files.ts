// The files of a corpus: those that git knows if it is in a repository, otherwise those in the directory.
import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, FailureError } from '../../base/errors.ts'
import { describeUnreadKind, documentKindOf } from '../../document/document-kind.ts'
import { gitFailure, runHardenedGit } from '../../process/git/git.ts'
import type { RunCommand } from '../../process/process-command.ts'
import type { SkippedSource } from '../log/entries.ts'

export interface CorpusFiles {
  /** Paths of the files, sorted and without duplicates. */
  names: string[]
  /** Documents at the top of a repository that git ignores. */
  skipped: SkippedSource[]
}

/**
 * Lists the files. If the root is below the top of a repository, the user chose it explicitly, so documents
 * that git ignores count too, and all files if git knows no file there. At the top, documents that git
 * ignores are listed as skipped. Rejects with FailureError if git does not finish.
 */
export async function listCorpus(
  root: string,
  run: RunCommand | undefined,
  signal: AbortSignal | undefined,
): Promise<CorpusFiles> {
  const prefix = run && (await askGit(root, run, ['rev-parse', '--show-prefix'], signal))
  if (!run || prefix === undefined) return { names: [...new Set(walk(root, ''))].sort(), skipped: [] }
  const ask = (args: string[]) => askGit(root, run, args, signal)
  const known = splitNames(await ask(['ls-files', '-z', '--cached', '--others', '--exclude-standard']))
  const isTop = prefix.trim() === ''
  if (!isTop && known.length === 0) return { names: walk(root, '').sort(), skipped: [] }
  const ignored = await ask(['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'])
  const documents = splitNames(ignored).filter(isDocument)
  if (!isTop) return { names: [...new Set([...known, ...documents])].sort(), skipped: [] }
  const why = 'ignored by git; name its folder with --root'
  return { names: [...new Set(known)].sort(), skipped: documents.map((path) => ({ path, why })) }
}

/**
 * Returns true for a document, even if no tool can read it. HTML pages and tables that git ignores are
 * usually generated, so they do not count.
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
    const { exit, stdout, ended } = outcome
    if (ended !== undefined) throw gitFailure(args[0] ?? '', outcome)
    return exit === 0 && !stdout.cut ? stdout.text : undefined
  } catch (error) {
    // Git is not installed, so the directory is walked instead.
    if (error instanceof FailureError && error.failure.code === 'not_found') return undefined
    throw error
  }
}

/** Lists all files except hidden entries and directories called `node_modules`. */
function walk(root: string, below: string): string[] {
  return entriesOf(join(root, below)).flatMap((entry) => {
    const name = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.name.startsWith('.') || entry.name === 'node_modules') return []
    if (entry.isDirectory()) return walk(root, name)
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
