// The diffs of a review as git prints them: file lists, line counts and patches.
import { FailureError } from '../base/errors.ts'
import { type GitOptions, gitFailure, gitText, runHardenedGit } from '../process/git/git.ts'
import type { RunCommand } from '../process/process-command.ts'

const shape = [
  '--no-color',
  '--relative',
  '--ignore-submodules=dirty',
  '--submodule=short',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '-M',
]

export async function readDiff(run: RunCommand, cwd: string, range: readonly string[], options: GitOptions) {
  const outcome = await runHardenedGit(run, cwd, ['diff', ...shape, ...range], options)
  if (outcome.ended === 'cancelled') throw collectingCancelled()
  if (outcome.ended || outcome.exit !== 0) throw gitFailure('diff', outcome)
  return outcome.stdout
}

/**
 * Returns for each path that differs in a range a text such as `+12 -3 lines`, or `binary`. A renamed file
 * has its new path.
 */
export async function countChangedLines(
  run: RunCommand,
  cwd: string,
  range: readonly string[],
  options: GitOptions,
): Promise<Map<string, string>> {
  const fields = await readPathList(run, cwd, ['diff', ...shape, '--numstat', '-z', ...range], options)
  const counts = new Map<string, string>()
  for (let i = 0; i < fields.length; i++) {
    const [added = '', removed = '', ...rest] = (fields[i] as string).split('\t')
    const path = rest.join('\t')
    // For a renamed file, the path is empty here and the two next fields contain its names.
    if (path === '') i += 2
    const name = path === '' ? (fields[i] ?? '') : path
    counts.set(name, added === '-' ? 'binary' : `+${added} -${removed} lines`)
  }
  return counts
}

export async function readPathList(
  run: RunCommand,
  cwd: string,
  args: string[],
  options: GitOptions,
): Promise<string[]> {
  const text = await gitText(run, cwd, args, options)
  return text.split('\0').filter((path) => path !== '')
}

/**
 * A file that differs between two compared states. `letter` is the kind of change as git prints it, such as
 * `M`. `from` is the earlier name of a renamed or copied file.
 */
export interface DiffEntry {
  letter: string
  path: string
  from?: string
}

/** Returns the changed files that `git diff --name-status -z` lists. */
export async function readChangedPaths(
  run: RunCommand,
  cwd: string,
  range: readonly string[],
  options: GitOptions,
): Promise<DiffEntry[]> {
  const args = ['diff', ...shape, '--name-status', '-z', ...range]
  const fields = await readPathList(run, cwd, args, options)
  const changed: DiffEntry[] = []
  for (let i = 0; i < fields.length; i++) {
    const letter = (fields[i] as string)[0] as string
    const from = letter === 'R' || letter === 'C' ? fields[++i] : undefined
    const path = fields[++i] ?? ''
    if (path !== '') changed.push(from === undefined ? { letter, path } : { letter, path, from })
  }
  return changed
}

/**
 * Splits a diff into the diffs of its files. Lines of content begin with a space, `+`, `-` or `\`, so they
 * never look like the heading of a file. A line begins only after LF, because content may contain a lone CR.
 */
export const splitByFile = (diff: string): string[] =>
  diff
    .split(/(?<![^\n])(?=diff --(?:git|cc|combined) |\* Unmerged path )/)
    .filter((part) => part.trim() !== '')

/** Returns the failure of a review that was cancelled while it collected the changes. */
export const collectingCancelled = () =>
  new FailureError({ code: 'cancelled', message: 'collecting the changes was cut short' })
