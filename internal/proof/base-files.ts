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

/** Returns the paths of the tree as it is: tracked ones and new ones, or those that git ignores. */
export async function listTree(
  run: RunCommand,
  workspace: string,
  which: 'tracked' | 'all' | 'ignored',
): Promise<string[]> {
  const options = {
    tracked: ['--cached'],
    all: ['--cached', '--others', '--exclude-standard'],
    ignored: ['--others', '--ignored', '--exclude-standard', '--directory'],
  }
  const text = await gitText(run, workspace, ['ls-files', '-z', ...options[which]], { keepBytes })
  return [...new Set(splitPaths(text))].sort()
}

const splitPaths = (text: string) => text.split('\0').filter((path) => path !== '')
