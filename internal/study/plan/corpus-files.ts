// The names of the files of a corpus: what git knows where there is a repository, else what lies there.
import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, FailureError } from '../../base/errors.ts'
import { describeUnreadKind, documentKindOf } from '../../document/document-kind.ts'
import { gitFailure, runHardenedGit } from '../../process/git/git.ts'
import type { RunCommand } from '../../process/process-command.ts'
import type { SkippedSource } from '../log/entries.ts'

export interface CorpusFiles {
  /** Sorted, each once. */
  names: string[]
  /** Documents that git ignores, at the top of a repository. */
  skipped: SkippedSource[]
}

/**
 * A folder below the top of a repository was named by somebody: it is taken at its word, also where git
 * ignores it, and so are documents that git ignores in it. Rejects with FailureError when git does not come
 * to an end.
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

/** Pages and tables that git ignores are more often built than written. */
const isDocument = (name: string): boolean => {
  const kind = documentKindOf(name)
  return (kind !== undefined && kind !== 'html' && kind !== 'table') || describeUnreadKind(name) !== undefined
}

const splitNames = (text: string | undefined): string[] =>
  (text ?? '').split('\0').filter((name) => name !== '')

/** Undefined outside of a repository, and where there is no git. */
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
    // there is no git on this machine
    if (error instanceof FailureError && error.failure.code === 'not_found') return undefined
    throw error
  }
}

/** Everything but hidden entries and installed packages. */
function walk(root: string, below: string): string[] {
  return entriesOf(join(root, below)).flatMap((entry) => {
    const name = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.name.startsWith('.') || entry.name === 'node_modules') return []
    if (entry.isDirectory()) return walk(root, name)
    return entry.isFile() || entry.isSymbolicLink() || isDocument(name) ? [name] : []
  })
}

/** A folder that cannot be read holds nothing that a tool could read. */
function entriesOf(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return []
  }
}
