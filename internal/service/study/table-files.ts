// The documents of a table: a glob pattern, a directory, a file, or a list of them in `@list.txt`.
import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, normalize, relative, resolve } from 'node:path'
import { codeOf, UserError } from '../../base/errors.ts'
import { fileMessageOf } from '../../base/files/errno.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import { bytesOfText } from '../../base/text/byte-name.ts'
import { groupDigits } from '../../base/text/count-noun.ts'
import { documentLimits } from '../../document/reading-budget.ts'
import type { RunCommand } from '../../process/process-command.ts'
import { compileGlob } from '../../search/glob/glob.ts'
import { rebaseGlob } from '../../search/glob/glob-base.ts'
import type { TableFile, TableFiles } from '../../study/log/table-entries.ts'
import { listCorpus } from '../../study/plan/corpus-files.ts'
import { isStudyReport } from '../../study/report/earlier-report.ts'
import { isTableCsv } from '../../study/report/table/table-csv.ts'
import { refuseOwnDirectory } from '../../trust/is-trusted.ts'

/** Maximum number of documents of one table. More documents are an error. */
const maxDocuments = 1000

interface FileSearch {
  /** Real path; patterns and paths are relative to it. */
  root: string
  env: Readonly<Record<string, string | undefined>>
  run: RunCommand | undefined
  signal: AbortSignal
}

/**
 * Returns the documents that `documentSpec` names, each content once: sorted by path, or in the order of a
 * list. From patterns and directories, reports and tables of studies are left out. Throws UserError, for
 * example for no match, for more than 1,000 documents, and for a missing file.
 */
export async function findTableFiles(documentSpec: string, search: FileSearch): Promise<TableFiles> {
  const paths = await expandSpec(documentSpec, search)
  if (paths.length === 0)
    throw new UserError(`--each matches no document: ${documentSpec}`, {
      hint: `quote a pattern so that the shell leaves it alone: --each 'papers/*.pdf'`,
    })
  if (paths.length > maxDocuments) {
    const limit = groupDigits(maxDocuments)
    throw new UserError(
      `--each matches ${groupDigits(paths.length)} documents, at most ${limit} are allowed`,
      { hint: 'name fewer of them, or list them in several files: --each @part-1.txt' },
    )
  }
  for (const dir of new Set(paths.map((path) => dirname(resolve(search.root, path)))))
    refuseOwnDirectory(realOf(dir), search.env, '--each: ')
  const files: TableFile[] = []
  const same: { path: string; as: string }[] = []
  const pathByDigest = new Map<string, string>()
  for (const path of paths) {
    const sha256 = digestOf(resolve(search.root, path))
    const as = sha256 === '' ? undefined : pathByDigest.get(sha256)
    if (as !== undefined) same.push({ path, as })
    else files.push({ path, sha256 })
    if (sha256 !== '') pathByDigest.set(sha256, as ?? path)
  }
  return { files, same }
}

/** Returns at most `count` of the documents, evenly spread; all without a count. */
export function sampleFiles({ files, same }: TableFiles, count: number | undefined): TableFiles {
  if (count === undefined || count >= files.length) return { files, same }
  const sampledFiles = Array.from({ length: count }, (_, i) => files[Math.floor((i * files.length) / count)])
  const keptFiles = sampledFiles.flatMap((file) => file ?? [])
  return { files: keptFiles, same: same.filter(({ as }) => keptFiles.some(({ path }) => path === as)) }
}

async function expandSpec(documentSpec: string, search: FileSearch): Promise<string[]> {
  if (!documentSpec.startsWith('@')) return expandOne(documentSpec, search)
  const list = documentSpec.slice(1)
  let text: string
  try {
    text = readFileSync(resolve(search.root, list), 'utf8')
  } catch (cause) {
    throw new UserError(`--each: ${fileMessageOf(cause, list)}`, {
      hint: 'name a text file with one document on each line',
      cause,
    })
  }
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
  const all: string[] = []
  for (const line of lines) {
    if (line !== '' && !line.startsWith('#')) all.push(...(await expandOne(line, search)))
  }
  return [...new Set(all)]
}

async function expandOne(documentSpec: string, { root, run, signal }: FileSearch): Promise<string[]> {
  const path = resolve(root, documentSpec)
  const fileStats = statSync(path, { throwIfNoEntry: false })
  if (fileStats?.isFile()) return [nameOf(root, path)]
  if (fileStats?.isDirectory()) {
    const { names } = await listCorpus(realpathSync(path), run, signal)
    return names
      .map((name) => nameOf(root, join(path, name)))
      .filter((name) => !isOwnOutput(join(root, name)))
  }
  if (!/[*?[{]/.test(documentSpec))
    throw new UserError(`--each: file not found: ${documentSpec}`, {
      hint: 'name a file, a directory or a pattern',
    })
  return matchGlob(documentSpec, root)
}

function matchGlob(documentSpec: string, root: string): string[] {
  const { path, pattern } = rebaseGlob(normalize(documentSpec), '.')
  const base = resolve(root, path)
  let glob: ReturnType<typeof compileGlob>
  try {
    glob = compileGlob(pattern)
  } catch (cause) {
    throw new UserError(`--each: ${String((cause as Error).message)}`, {
      hint: "for example 'papers/*.pdf'",
      cause,
    })
  }
  return listFilesBelow(base, '', glob.dotted)
    .filter((name) => glob.test(bytesOfText(name)))
    .map((name) => nameOf(root, join(base, name)))
    .filter((name) => !isOwnOutput(resolve(root, name)))
    .sort()
}

function listFilesBelow(base: string, below: string, dotted: boolean): string[] {
  let entries: Dirent[]
  try {
    entries = readdirSync(join(base, below), { withFileTypes: true })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return []
  }
  return entries.flatMap((entry) => {
    const name = below === '' ? entry.name : `${below}/${entry.name}`
    if ((entry.name.startsWith('.') && !dotted) || entry.name === 'node_modules') return []
    if (entry.isDirectory()) return listFilesBelow(base, name, dotted)
    return entry.isFile() || entry.isSymbolicLink() ? [name] : []
  })
}

const nameOf = (root: string, path: string) => relative(root, path)

/** Returns true if a file is the report or the table of a study, whose text repeats other documents. */
function isOwnOutput(path: string): boolean {
  if (!/\.(?:csv|html?|md|markdown|json|txt|text)$/i.test(path)) return false
  const bytes = readBytes(path)
  return bytes !== undefined && (isTableCsv(bytes.toString('utf8')) || isStudyReport(bytes))
}

/** Returns the digest of a file, or an empty text if it is unreadable or above 32 MiB. */
function digestOf(path: string): string {
  const bytes = readBytes(path)
  return bytes === undefined ? '' : fingerprint(bytes)
}

function readBytes(path: string): Buffer | undefined {
  try {
    const fileStats = statSync(path)
    return fileStats.isFile() && fileStats.size <= documentLimits.bytes ? readFileSync(path) : undefined
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}

function realOf(dir: string): string {
  try {
    return realpathSync(dir)
  } catch {
    return dir
  }
}
