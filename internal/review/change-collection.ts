// Collects the changes of a working tree: diffs by git and new files, bounded, with notes on omissions.
import { FailureError, UserError } from '../base/errors.ts'
import { resolveFacts } from '../policy/call-facts.ts'
import { decide } from '../policy/decide.ts'
import { resolvePath } from '../policy/paths/path-jail.ts'
import type { Policy } from '../policy/policy.ts'
import { type GitOptions, gitFailure, gitText, runHardenedGit } from '../process/git/git.ts'
import type { RunCommand } from '../process/process-command.ts'
import { fitPieces, type ReviewTextPiece } from './bounded-text.ts'
import { readHead } from './file-head.ts'

export const maxShown = { diff: 120_000, untracked: 10, untrackedBytes: 16_384 } as const

export interface WorkingTreeChanges {
  /** Every changed file that may be shown, relative to the workspace, sorted; those that were removed too. */
  files: string[]
  /** One line per file: what happened to it and where. */
  status: string[]
  /** Diffs and new files as one text. */
  text: string
  notes: string[]
}

interface Wanted {
  run: RunCommand
  cwd: string
  /** Files that it would not let the tool `read` open unasked are left out. */
  policy: Policy
  /** When false, content filters are switched off. */
  trusted: boolean
  signal: AbortSignal
  base?: string
  files?: readonly string[]
}

const shape = [
  '--no-color',
  '--relative',
  '--ignore-submodules=dirty',
  '--submodule=short',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '-M',
]

/**
 * Undefined outside of a git repository. Throws UserError for a `base` that is no revision. Files that
 * may not be read are left out of everything but the notes.
 */
export async function collectWorkingTreeChanges(wanted: Wanted): Promise<WorkingTreeChanges | undefined> {
  const { run, cwd, signal, base } = wanted
  const inside = await runHardenedGit(run, cwd, ['rev-parse', '--is-inside-work-tree'], { signal })
  if (inside.ended === 'timeout') throw gitFailure('rev-parse', inside)
  if (inside.ended) throw stopped()
  if (inside.exit !== 0 || inside.stdout.text.trim() !== 'true') return undefined
  const options: GitOptions = { signal, trusted: wanted.trusted, keepBytes: 16 << 20 }
  const ranges: [string, string[]][] = [
    ['unstaged', []],
    ['staged', ['--cached']],
  ]
  if (base !== undefined) ranges.push([`since ${base}`, [await fork(wanted, base, options), 'HEAD']])

  const notes: string[] = []
  const status: string[] = []
  const files = new Set<string>()
  const pieces: ReviewTextPiece[] = []
  const barred = new Map<string, boolean>()
  const admit = async (paths: readonly string[]) => {
    for (const path of paths) if (!barred.has(path)) barred.set(path, await isBarred(wanted, path, notes))
    return (path: string) => barred.get(path) === false
  }
  const limit = (wanted.files ?? []).map((file) => within(wanted, file))
  const paths = limit.length > 0 ? limit.map((file) => `:(literal)${file}`) : ['.']
  for (const [where, range] of ranges) {
    const list = ['diff', ...shape, '--name-status', '-z', ...range, '--', ...paths]
    const names = await named(run, cwd, list, options)
    const may = await admit(names.map(({ path }) => path))
    const shown = names.filter(({ path }) => may(path))
    for (const { letter, path } of shown) {
      files.add(path)
      status.push(`${letter} ${quotePath(path)} (${where})`)
    }
    if (shown.length === 0) continue
    const hidden = names
      .filter((name) => !shown.includes(name))
      .map(({ path }) => `:(exclude,literal)${path}`)
    const diff = await readDiff(run, cwd, [...range, '--', ...paths, ...hidden], options)
    if (diff.cut) notes.push(`the ${where} diff has ${diff.bytes} bytes; its middle was not read`)
    for (const text of sections(diff.text)) pieces.push({ title: where, text, kind: 'diff' })
  }
  const others = ['ls-files', '--others', '--exclude-standard', '-z', '--', ...paths]
  const fresh = await listed(run, cwd, others, options)
  const untracked = fresh.filter(await admit(fresh)).sort()
  for (const path of untracked) {
    files.add(path)
    status.push(`? ${quotePath(path)} (untracked)`)
  }
  pieces.push(...(await begin(wanted, untracked, notes)))
  const { text, left } = fitPieces(pieces, maxShown.diff)
  if (left.length > 0) notes.push(`too large to show whole: ${left.join(', ')}; their files must be read`)
  return { files: [...files].sort(), status, text, notes }
}

async function readDiff(run: RunCommand, cwd: string, range: readonly string[], options: GitOptions) {
  const outcome = await runHardenedGit(run, cwd, ['diff', ...shape, ...range], options)
  if (outcome.ended === 'cancelled') throw stopped()
  if (outcome.ended || outcome.exit !== 0) throw gitFailure('diff', outcome)
  return outcome.stdout
}

/** New files as they are, the first few and the beginning of each. */
async function begin(wanted: Wanted, paths: readonly string[], notes: string[]): Promise<ReviewTextPiece[]> {
  const pieces: ReviewTextPiece[] = []
  for (const path of paths.slice(0, maxShown.untracked)) {
    try {
      const { kind, text, whole } = await readHead(
        resolvePath(wanted.cwd, wanted.policy.roots, path),
        maxShown.untrackedBytes,
      )
      if (kind !== 'text')
        notes.push(`${quotePath(path)} is ${kind === 'encoding' ? 'not UTF-8' : kind} and was left out`)
      else {
        const cut = whole ? '' : `\n[the first ${maxShown.untrackedBytes} bytes of ${quotePath(path)}]`
        pieces.push({ title: `new file ${quotePath(path)}`, text: `${text}${cut}`, kind: 'file' })
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

/** Whether a path may not be shown; a note says why. Judged as a call of the tool `read` would be. */
async function isBarred({ cwd, policy }: Wanted, path: string, notes: string[]): Promise<boolean> {
  const scope = [{ kind: 'path', path, access: 'read' }] as const
  const call = { tool: 'read', level: 'auto_read', args: { path }, scope } as const
  const { action, code } = decide(await resolveFacts(call, policy, cwd), policy)
  // git shows a link that leads elsewhere as the text of its target, which is harmless
  if (action === 'allow' || code === 'outside_workspace') return false
  const why = code === 'sensitive_path' ? 'may hold secrets' : 'may not be read here'
  notes.push(`${quotePath(path)} ${why} and was left out`)
  return true
}

/** A named file relative to the workspace; UserError when it lies elsewhere. */
function within({ cwd, policy }: Wanted, file: string): string {
  const place = resolvePath(cwd, policy.roots, file)
  if (place.root === policy.roots.workspace) return place.shown
  throw new UserError(`${quotePath(file)} lies outside of the workspace`)
}

/** Where the current branch left `base`. */
async function fork({ run, cwd }: Wanted, base: string, options: GitOptions): Promise<string> {
  const unknown = new UserError(`${quotePath(base)} is no revision of this repository`, {
    hint: 'name a branch, tag or commit, for example --base main',
  })
  if (base === '' || base.startsWith('-') || base.includes('\0')) throw unknown
  const found = await runHardenedGit(
    run,
    cwd,
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${base}^{commit}`],
    options,
  )
  if (found.exit !== 0) throw unknown
  const commit = found.stdout.text.trim()
  const merged = await runHardenedGit(run, cwd, ['merge-base', commit, 'HEAD'], options)
  return merged.exit === 0 ? merged.stdout.text.trim() : commit
}

async function listed(run: RunCommand, cwd: string, args: string[], options: GitOptions): Promise<string[]> {
  const text = await gitText(run, cwd, args, options)
  return text.split('\0').filter((path) => path !== '')
}

/** Pairs of `--name-status -z`; a rename or copy counts as its new name. */
async function named(
  run: RunCommand,
  cwd: string,
  args: string[],
  options: GitOptions,
): Promise<{ letter: string; path: string }[]> {
  const fields = await listed(run, cwd, args, options)
  const found: { letter: string; path: string }[] = []
  for (let i = 0; i < fields.length; i++) {
    const letter = (fields[i] as string)[0] as string
    if (letter === 'R' || letter === 'C') i++
    found.push({ letter, path: fields[++i] ?? '' })
  }
  return found.filter(({ path }) => path !== '')
}

/** A diff cut before each file; lines of content begin with a sign and are never taken for a heading. */
const sections = (diff: string): string[] =>
  diff.split(/^(?=diff --(?:git|cc|combined) |\* Unmerged path )/m).filter((part) => part.trim() !== '')

/** A file name on one line, whatever it holds. */
export const quotePath = (path: string): string =>
  /^[\p{L}\p{N} ._/@+,=~()[\]{}$#&!%^'-]+$/u.test(path) ? path : JSON.stringify(path)

const stopped = () => new FailureError({ code: 'cancelled', message: 'collecting the changes was cut short' })
