// State of a checkout: its HEAD and branch, unfinished operations, and the settings and hooks
// that git follows.
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { ignoreCodes } from '../../base/files/ignored-errors.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import { type RepositoryPaths, readIfPresent } from '../workspace/session-location.ts'
import { type GitRepository, resolveCommit, runGit } from './git-tree.ts'

const operations: Readonly<Record<string, string>> = {
  MERGE_HEAD: 'a merge',
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  BISECT_LOG: 'a bisection',
}

/**
 * Returns the current commit. Throws UserError (exit 2) without a commit, and during an operation such as a
 * merge or a rebase.
 */
export async function settledHead(repo: GitRepository, { gitDir }: RepositoryPaths): Promise<string> {
  for (const [name, what] of Object.entries(operations)) {
    if (await lstat(join(gitDir, name)).catch(() => undefined)) {
      throw new UserError(`${what} is in progress`, { hint: 'Finish or abort it, then start the session.' })
    }
  }
  const head = await resolveCommit(repo, 'HEAD')
  if (head === undefined) {
    throw new UserError('the repository has no commit yet', {
      hint: 'Make a first commit, then start the session.',
    })
  }
  return head
}

/**
 * Returns the full name of the current branch, such as `refs/heads/main`, or undefined if HEAD is detached.
 */
export async function branchOf(repo: GitRepository, cwd = repo.top): Promise<string | undefined> {
  const name = (await runGit(repo, ['rev-parse', '--symbolic-full-name', 'HEAD'], { cwd })).trim()
  return name.startsWith('refs/heads/') ? name : undefined
}

/**
 * Files of a repository that change how git reads it: the content and selection of checked-out files, the
 * parents of commits, and other places with objects.
 */
const converting = [
  'info/attributes',
  'info/grafts',
  'info/sparse-checkout',
  'objects/info/alternates',
  'shallow',
]

/** Matches settings that change the content of a checkout, or where git searches for it. */
const convertingKeys = new RegExp(
  '^(core\\.(autocrlf|eol|attributesfile|worktree|bare|symlinks|filemode|ignorecase|sparsecheckout\\w*|' +
    'precomposeunicode|protecthfs|protectntfs|repositoryformatversion)|' +
    'filter\\.|extensions\\.|include\\.|includeif\\.)',
  'i',
)

/**
 * Returns a hash over the rules that decide the content of a checked-out tree, such as attributes, settings,
 * replaced objects, and the list of other places with objects.
 */
export async function contentRulesHash(
  repo: GitRepository,
  { commonDir, gitDir }: RepositoryPaths,
): Promise<string> {
  const parts: string[] = []
  for (const name of converting) parts.push(`${name} ${await signOf(join(commonDir, name))}`)
  parts.push(`worktree ${await signOf(join(gitDir, 'info/attributes'))}`)
  const refs = (await mayReplace(commonDir))
    ? await runGit(repo, ['for-each-ref', '--format=%(refname) %(objectname)', 'refs/replace/'])
    : ''
  const rows = await localSettings(repo, [join(commonDir, 'config'), join(gitDir, 'config.worktree')])
  const settings = rows.split('\0').filter((row) => convertingKeys.test(row))
  return fingerprint([...parts, refs, ...settings.sort()].join('\n'))
}

/** Returns whether refs that replace objects may exist. If not, git need not be called. */
async function mayReplace(commonDir: string): Promise<boolean> {
  for (const name of ['refs/replace', 'reftable'])
    if (await lstat(join(commonDir, name)).catch(() => undefined)) return true
  return ((await readIfPresent(join(commonDir, 'packed-refs'))) ?? '').includes(' refs/replace/')
}

/**
 * Returns the local settings as git prints them, separated by NUL characters. They are cached until the files
 * change, unless they include other files.
 */
async function localSettings(repo: GitRepository, files: readonly string[]): Promise<string> {
  const read = () => Promise.all(files.map(signOf))
  const key = (await read()).join(' ')
  const before = repo.known?.settings.get(key)
  if (before !== undefined) return before
  const rows = await runGit(repo, ['config', '--local', '--includes', '-z', '--list'])
  const isWhole = !/(^|\0)include(if)?\./i.test(rows)
  if (isWhole && (await read()).join(' ') === key) repo.known?.settings.set(key, rows)
  return rows
}

async function signOf(path: string): Promise<string> {
  const bytes = await readFile(path).catch(ignoreCodes('ENOENT', 'EISDIR', 'ENOTDIR'))
  return bytes ? fingerprint(bytes) : '-'
}

/** Returns a hash over hooks, configuration and content rules, which a benchmark must not change. */
export async function gitMachineryHash(repo: GitRepository, repository: RepositoryPaths): Promise<string> {
  const { commonDir, gitDir } = repository
  const parts: string[] = [await contentRulesHash(repo, repository)]
  const add = async (path: string) => {
    parts.push(`${path} ${await signOf(path)}`)
  }
  await add(join(commonDir, 'config'))
  for (const path of ['config.worktree', 'commondir']) await add(join(gitDir, path))
  for (const name of (await readdir(join(commonDir, 'hooks')).catch(() => [])).sort())
    await add(join(commonDir, 'hooks', name))
  return fingerprint(parts.join('\n'))
}
