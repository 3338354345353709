// The files of a commit that a check depends on, written to a directory outside the workspace.
import { join } from 'node:path'
import { UserError } from '../base/errors.ts'
import { makeDirectory } from '../base/files/make-directory.ts'
import { gitText } from '../process/git/git.ts'
import type { RunCommand } from '../process/process-command.ts'
import type { FileTree } from './check-definition.ts'

interface BaseRequest {
  run: RunCommand
  workspace: string
  /** Revision of the original files. */
  base: string
  /** Existing directory for the files. */
  folder: string
}

/** Bytes of a list of paths that git prints. */
const keepBytes = 64 * 1024 * 1024

/**
 * Writes the files of a commit below the workspace to `folder/base`. Throws UserError if the revision does
 * not exist, or outside of a repository.
 */
export async function writeBaseFiles({ run, workspace, base, folder }: BaseRequest): Promise<FileTree> {
  const top = await gitText(run, workspace, ['rev-parse', '--show-toplevel']).catch(() => {
    throw new UserError(`not a git repository: ${workspace}`, {
      hint: 'the original tests come from a commit: run `git init`, and commit the tests',
    })
  })
  const tree = await gitText(run, workspace, ['rev-parse', '--verify', `${base}^{commit}`])
    .then((commit) => gitText(run, workspace, ['rev-parse', '--verify', `${commit.trim()}:./`]))
    .catch(() => {
      throw new UserError(`unknown revision "${base}"`, {
        hint: 'name a commit that has the original tests: anode prove CMD --base HEAD~1',
      })
    })
  const dir = join(folder, 'base')
  makeDirectory(dir, 0o700)
  const index = { extraEnv: { GIT_INDEX_FILE: join(folder, 'index') }, keepBytes }
  const at = top.replace(/\n$/, '')
  await gitText(run, at, ['read-tree', tree.trim()], index)
  await gitText(run, at, ['checkout-index', '--all', '--force', `--prefix=${dir}/`], index)
  const listed = await gitText(run, at, ['ls-tree', '-r', '-z', '--full-tree', '--name-only', tree.trim()], {
    keepBytes,
  })
  return { dir, paths: splitPaths(listed) }
}

/** Lists paths of the tree as it is: tracked ones, these and new ones, or those that git ignores. */
export type ListTree = (which: 'tracked' | 'all' | 'ignored') => Promise<string[]>

/** Returns the function that lists paths with git. `extraEnv` selects a repository without tracked files. */
export function treeLister(
  run: RunCommand,
  workspace: string,
  extraEnv?: Readonly<Record<string, string>>,
): ListTree {
  const standard = extraEnv ? ['--exclude-standard', '--exclude=node_modules/'] : ['--exclude-standard']
  const options = {
    // without a repository every file counts as tracked
    tracked: extraEnv ? ['--others', ...standard] : ['--cached'],
    all: ['--cached', '--others', ...standard],
    ignored: ['--others', '--ignored', ...standard, '--directory'],
  }
  return async (which) => {
    const args = ['ls-files', '-z', ...options[which]]
    const text = await gitText(run, workspace, args, { keepBytes, extraEnv })
    return [...new Set(splitPaths(text))].sort()
  }
}

/**
 * Returns the function that lists a workspace with or without a repository. Without one, an empty repository
 * in `folder`, outside of the workspace, applies the rules of git.
 */
export async function openTreeLister(run: RunCommand, workspace: string, folder: string): Promise<ListTree> {
  const inside = await gitText(run, workspace, ['rev-parse', '--is-inside-work-tree']).catch(() => '')
  if (inside.trim() === 'true') return treeLister(run, workspace)
  const dir = join(folder, 'git')
  await gitText(run, folder, ['init', '-q', '--bare', dir])
  return treeLister(run, workspace, { GIT_DIR: dir, GIT_WORK_TREE: workspace })
}

const splitPaths = (text: string) => text.split('\0').filter((path) => path !== '')
