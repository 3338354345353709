// Collector of the changes in a working tree: diffs by git and new files, limited in size, with notes about
// what is left out.
import { FailureError, UserError } from '../base/errors.ts'
import { quotePath } from '../base/text/quoting/quote-path.ts'
import { resolveFacts } from '../policy/call-facts.ts'
import { decide } from '../policy/decide.ts'
import { resolvePath } from '../policy/paths/path-jail.ts'
import type { Policy } from '../policy/policy.ts'
import { type GitOptions, gitFailure, runHardenedGit } from '../process/git/git.ts'
import type { RunCommand } from '../process/process-command.ts'
import { findBaseRange } from './base-range.ts'
import { fitPieces, type ReviewTextPiece } from './bounded-text.ts'
import { readHead } from './file-head.ts'
import { coveringPaths, type GeneratedKind, generatedKind, isMinifiedDiff } from './generated-files.ts'
import {
  collectingCancelled,
  countChangedLines,
  type DiffEntry,
  readChangedPaths,
  readDiff,
  readPathList,
  splitByFile,
} from './git-diff.ts'

export const maxShown = { diff: 120_000, untracked: 10, untrackedBytes: 16_384 } as const

export interface WorkingTreeChanges {
  /**
   * Changed files that the policy admits, including removed ones, relative to the workspace and sorted. If
   * the caller named files, only those.
   */
  files: string[]
  /**
   * One line per file and comparison with the kind of change and the compared state: unstaged, staged or
   * since the base. A new file that git does not track has one line with `untracked`.
   */
  status: string[]
  /** Diffs and the beginnings of new files as one text of at most `maxShown.diff` characters. */
  text: string
  notes: string[]
  /** Reason why the base could not be compared completely; the notes contain it too. */
  limited?: string | undefined
}

interface ChangeRequest {
  run: RunCommand
  cwd: string
  /** Policy. Only files that the tool `read` may open without approval are collected. */
  policy: Policy
  /**
   * Whether the user trusts the workspace. If not, git runs without content filters, which are programs that
   * the workspace configures.
   */
  trusted: boolean
  signal: AbortSignal
  base?: string
  files?: readonly string[]
}

/** What a collector of changes has found so far. */
interface CollectedChanges {
  notes: string[]
  status: string[]
  files: Set<string>
  pieces: ReviewTextPiece[]
}

/** One comparison by git: a label for the user, and the arguments of `git diff`. */
interface DiffRange {
  where: string
  args: readonly string[]
}

/**
 * Collects the changes; returns undefined outside of a git repository. Throws UserError if `base` is not a
 * revision, if it cannot be compared and nothing else has changed, or for a named file outside of the
 * workspace. Throws FailureError if git fails or the signal aborts. Files that the policy bars appear in
 * the notes only.
 */
export async function collectWorkingTreeChanges(
  request: ChangeRequest,
): Promise<WorkingTreeChanges | undefined> {
  const { run, cwd, signal, base } = request
  const inside = await runHardenedGit(run, cwd, ['rev-parse', '--is-inside-work-tree'], { signal })
  if (inside.ended === 'timeout') throw gitFailure('rev-parse', inside)
  if (inside.ended) throw collectingCancelled()
  if (inside.exit !== 0 || inside.stdout.text.trim() !== 'true') return undefined
  const options: GitOptions = { signal, trusted: request.trusted, keepBytes: 16 << 20 }
  const range = base === undefined ? undefined : await findBaseRange(run, cwd, base, options)
  const ranges: DiffRange[] = [
    { where: 'unstaged', args: [] },
    { where: 'staged', args: ['--cached'] },
  ]
  if (range?.from !== undefined)
    ranges.push({ where: `since ${base}`, args: [...range.options, range.from, 'HEAD'] })

  const collection: CollectedChanges = { notes: [], status: [], files: new Set(), pieces: [] }
  if (range?.limited !== undefined) collection.notes.push(range.limited)
  const admit = createAdmission(request, collection.notes)
  const limit = (request.files ?? []).map((file) => toWorkspacePath(request, file))
  const paths = limit.length > 0 ? limit.map((file) => `:(literal)${file}`) : ['.']
  const kindOf = (path: string) => (limit.includes(path) ? undefined : generatedKind(path))
  for (const each of ranges) await collectRange(request, each, { paths, options, admit, kindOf }, collection)
  const others = ['ls-files', '--others', '--exclude-standard', '-z', '--', ...paths]
  const fresh = await readPathList(run, cwd, others, options)
  await collectUntracked(request, fresh.filter(await admit(fresh)).sort(), kindOf, collection)
  if (range?.limited !== undefined && range.from === undefined && collection.files.size === 0)
    throw new UserError(`cannot compare with ${quotePath(base ?? '')}: ${range.limited.split('; ')[0]}`, {
      hint: range.limited.split('; ').slice(1).join('; '),
    })
  const { text, left: incompleteTexts } = fitPieces(collection.pieces, maxShown.diff)
  if (incompleteTexts.length > 0)
    collection.notes.push(`too large to show whole: ${incompleteTexts.join(', ')}; their files must be read`)
  const { files, status, notes } = collection
  const limited = range?.limited
  return { files: [...files].sort(), status, text, notes, limited }
}

type PathAdmission = (paths: readonly string[]) => Promise<(path: string) => boolean>
type KindOf = (path: string) => GeneratedKind | undefined

/**
 * Returns a function that asks the policy once about each path and returns a filter for admitted paths. A
 * note is added for each path that the policy does not admit.
 */
function createAdmission(request: ChangeRequest, notes: string[]): PathAdmission {
  const barred = new Map<string, boolean>()
  return async (paths) => {
    for (const path of paths) if (!barred.has(path)) barred.set(path, await isBarred(request, path, notes))
    return (path) => barred.get(path) === false
  }
}

async function collectRange(
  { run, cwd }: ChangeRequest,
  { where, args }: DiffRange,
  {
    paths,
    options,
    admit,
    kindOf,
  }: { paths: string[]; options: GitOptions; admit: PathAdmission; kindOf: KindOf },
  collection: CollectedChanges,
): Promise<void> {
  const changed = await readChangedPaths(run, cwd, [...args, '--', ...paths], options)
  const may = await admit(changed.flatMap(namesOf))
  // A renamed file is left out if either of its names is barred, because git would show the old name as a
  // deleted file with its text.
  const admittedChanges = changed.filter((change) => namesOf(change).every(may))
  const generated = admittedChanges.filter(({ path }) => kindOf(path) !== undefined)
  const counts =
    generated.length > 0
      ? await countChangedLines(run, cwd, [...args, '--', ...paths], options)
      : new Map<string, string>()
  for (const { letter, path } of admittedChanges) {
    collection.files.add(path)
    const kind = kindOf(path)
    const count = counts.get(path) ?? 'unknown line counts'
    collection.status.push(
      `${letter} ${quotePath(path)} (${where}${kind ? `; ${kind}, ${count}, not shown` : ''})`,
    )
    if (kind)
      collection.notes.push(`${quotePath(path)} is a generated file (${kind}, ${count}) and was not sent`)
  }
  if (admittedChanges.length === generated.length) return
  const barred = changed.filter((change) => !admittedChanges.includes(change)).flatMap(namesOf)
  const unsent = [...barred, ...coveringPaths(generated.flatMap(namesOf))]
  const hidden = unsent.map((path) => `:(exclude,literal)${path}`)
  const diff = await readDiff(run, cwd, [...args, '--', ...paths, ...hidden], options)
  if (diff.cut) collection.notes.push(`the ${where} diff has ${diff.bytes} bytes; its middle was not read`)
  for (const text of splitByFile(diff.text)) {
    if (isMinifiedDiff(text))
      collection.notes.push(
        `${text.split('\n', 1)[0]}: lines of over 5,000 characters (minified) were not sent`,
      )
    else collection.pieces.push({ title: where, text, kind: 'diff' })
  }
}

const namesOf = ({ path, from }: DiffEntry): string[] => (from === undefined ? [path] : [from, path])

async function collectUntracked(
  request: ChangeRequest,
  untracked: readonly string[],
  kindOf: KindOf,
  collection: CollectedChanges,
): Promise<void> {
  const written: string[] = []
  for (const path of untracked) {
    const kind = kindOf(path)
    collection.files.add(path)
    collection.status.push(`? ${quotePath(path)} (untracked${kind ? `; ${kind}, not shown` : ''})`)
    if (kind)
      collection.notes.push(`${quotePath(path)} is a generated file (${kind}, untracked) and was not sent`)
    else written.push(path)
  }
  collection.pieces.push(...(await readBeginnings(request, written, collection.notes)))
}

/**
 * Returns the first 16 KiB of each of the first 10 new files. Adds notes about the other files, and about
 * those that are not text or cannot be read.
 */
async function readBeginnings(
  request: ChangeRequest,
  paths: readonly string[],
  notes: string[],
): Promise<ReviewTextPiece[]> {
  const pieces: ReviewTextPiece[] = []
  for (const path of paths.slice(0, maxShown.untracked)) {
    try {
      const { kind, text, whole } = await readHead(
        resolvePath(request.cwd, request.policy.roots, path),
        maxShown.untrackedBytes,
      )
      if (kind !== 'text')
        notes.push(`${quotePath(path)} is ${kind === 'encoding' ? 'not UTF-8' : kind} and was left out`)
      else {
        const cutNotice = whole ? '' : `\n[the first ${maxShown.untrackedBytes} bytes of ${quotePath(path)}]`
        pieces.push({ title: `new file ${quotePath(path)}`, text: `${text}${cutNotice}`, kind: 'file' })
      }
    } catch (error) {
      if (!(error instanceof FailureError)) throw error
      notes.push(`${quotePath(path)} was left out: ${error.failure.code}`)
    }
  }
  const rest = paths.slice(maxShown.untracked)
  if (rest.length > 0)
    notes.push(`${rest.length} more new files were not shown: ${rest.slice(0, 20).map(quotePath).join(', ')}`)
  return pieces
}

/**
 * Returns true if the policy does not let the tool `read` open the path, and then adds a note with the
 * reason. A path that leads out of the workspace is not barred.
 */
async function isBarred({ cwd, policy }: ChangeRequest, path: string, notes: string[]): Promise<boolean> {
  const scope = [{ kind: 'path', path, access: 'read' }] as const
  const call = { tool: 'read', level: 'auto_read', args: { path }, scope } as const
  const { action, code } = decide(await resolveFacts(call, policy, cwd), policy)
  // A tracked link that leads out of the workspace is harmless, because git shows only the path of its
  // target. The content of an untracked link is not read; see `readHead`.
  if (action === 'allow' || code === 'outside_workspace') return false
  const why = code === 'sensitive_path' ? 'may hold secrets' : 'may not be read here'
  notes.push(`${quotePath(path)} ${why} and was left out`)
  return true
}

/** Returns a named file relative to the workspace. Throws UserError if it is outside. */
function toWorkspacePath({ cwd, policy }: ChangeRequest, file: string): string {
  const place = resolvePath(cwd, policy.roots, file)
  if (place.root === policy.roots.workspace) return place.shown
  throw new UserError(`${quotePath(file)} is outside of the workspace`)
}
