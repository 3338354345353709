// The commits that a review compares: from the commit where the branch left its base, up to HEAD.
import { UserError } from '../base/errors.ts'
import { quotePath } from '../base/text/quoting/quote-path.ts'
import { type GitOptions, gitFailure, gitText, runHardenedGit } from '../process/git/git.ts'
import type { RunCommand } from '../process/process-command.ts'

/**
 * The comparison with HEAD. `from` is the commit where it starts; undefined if a comparison is impossible.
 */
interface BaseRange {
  from: string | undefined
  /** Further arguments for `git diff` in this comparison. */
  options: readonly string[]
  /** Reason why the comparison does not cover the whole branch; undefined if it does. */
  limited?: string
}

const fetchHint = (base: string): string =>
  `run \`git fetch --unshallow\`, or \`git fetch --deepen=100 origin ${base.replace(/^origin\//, '')}\`; ` +
  'with actions/checkout set fetch-depth: 0'

/**
 * Finds the commit where HEAD left `base`. Throws UserError if `base` is not a revision, and FailureError if
 * git fails. Without a common commit, a comparison of the latest commits would show work of other authors as
 * deleted. So in a shallow clone the comparison starts at the earliest available commit of HEAD, if there is
 * more than one; for unrelated histories it shows only the files that HEAD adds or changes.
 */
export async function findBaseRange(
  run: RunCommand,
  cwd: string,
  base: string,
  options: GitOptions,
): Promise<BaseRange> {
  const commit = await resolveCommit(run, cwd, base, options)
  const merged = await runHardenedGit(run, cwd, ['merge-base', commit, 'HEAD'], options)
  if (merged.exit === 0) return { from: merged.stdout.text.trim(), options: [] }
  // Exit code 1 means that the commits have no common ancestor, but git also exits with 1 when it cannot
  // read a commit.
  if (merged.ended || merged.exit !== 1 || /^(error|fatal):/m.test(merged.stderr.text))
    throw gitFailure('merge-base', merged)
  const shallow = await gitText(run, cwd, ['rev-parse', '--is-shallow-repository'], options)
  const missing = `no common commit of HEAD and ${quotePath(base)}`
  if (shallow.trim() !== 'true') {
    const limited = `${missing}: their histories are unrelated; what only the base has is not shown`
    return { from: commit, options: ['--diff-filter=d'], limited }
  }
  const commits = (await gitText(run, cwd, ['rev-list', '--first-parent', 'HEAD'], options))
    .trim()
    .split('\n')
  const reason = `${missing}: this clone is shallow`
  if (commits.length < 2)
    return { from: undefined, options: [], limited: `${reason} and has one commit; ${fetchHint(base)}` }
  return {
    from: commits.at(-1),
    options: [],
    limited: `${reason}; only its last ${commits.length - 1} commits were compared; ${fetchHint(base)}`,
  }
}

async function resolveCommit(
  run: RunCommand,
  cwd: string,
  base: string,
  options: GitOptions,
): Promise<string> {
  const unknown = new UserError(`${quotePath(base)} is not a revision of this repository`, {
    hint: 'name a branch, tag or commit, for example --base main',
  })
  if (base === '' || base.startsWith('-') || base.includes('\0')) throw unknown
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${base}^{commit}`]
  const { exit, stdout } = await runHardenedGit(run, cwd, args, options)
  if (exit !== 0) throw unknown
  return stdout.text.trim()
}
