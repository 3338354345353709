// What a checkout is in the middle of, and the parts of a repository that git itself runs or obeys.
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, UserError } from '../base/errors.ts'
import { fingerprint } from '../base/fingerprint.ts'
import { ask, resolveCommit, type Shelf } from './tree.ts'
import type { Repository } from './where.ts'

const operations: Readonly<Record<string, string>> = {
  MERGE_HEAD: 'a merge',
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  BISECT_LOG: 'a bisection',
}

/** The commit the checkout stands on. Throws UserError (exit 2) without one or in the middle of an operation. */
export async function settledHead(shelf: Shelf, { gitDir }: Repository): Promise<string> {
  for (const [name, what] of Object.entries(operations)) {
    if (await lstat(join(gitDir, name)).catch(() => undefined)) {
      throw new UserError(`${what} is in progress`, { hint: 'Finish or abort it, then start the session.' })
    }
  }
  const head = await resolveCommit(shelf, 'HEAD')
  if (head === undefined) {
    throw new UserError('the repository has no commit yet', {
      hint: 'Make a first commit, then start the session.',
    })
  }
  return head
}

/** Name of the branch that is checked out; undefined when HEAD is detached. */
export async function branchOf(shelf: Shelf, cwd = shelf.top): Promise<string | undefined> {
  const name = (await ask(shelf, ['rev-parse', '--symbolic-full-name', 'HEAD'], { cwd })).trim()
  return name.startsWith('refs/heads/') ? name : undefined
}

/** A hash over hooks and configuration: a benchmark has no business in there. */
export async function machineryOf({ commonDir }: Repository): Promise<string> {
  const parts: string[] = []
  const add = async (path: string) => {
    const bytes = await readFile(path).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EISDIR') throw error
    })
    parts.push(`${path} ${bytes ? fingerprint(bytes) : '-'}`)
  }
  await add(join(commonDir, 'config'))
  for (const name of (await readdir(join(commonDir, 'hooks')).catch(() => [])).sort())
    await add(join(commonDir, 'hooks', name))
  return fingerprint(parts.join('\n'))
}
