// List of the files of a workspace that a lock may include.
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { ignoreCodes } from '../../base/files/ignored-errors.ts'
import { runGit } from '../git/git-tree.ts'
import type { LockedSession } from './experiment-workspace.ts'

/**
 * Returns file names relative to the workspace: all files of `.auto`, and every other file that git does not
 * ignore. Outside of git, returns all files that are not below `.git` or `node_modules`.
 */
export async function listWorkspaceFiles(session: LockedSession): Promise<string[]> {
  const { workspace } = session.experiment.where
  const auto = await listFilesBelow(workspace, join(workspace, '.auto'), new Set())
  return [...new Set([...auto, ...(await listCandidateFiles(session))])]
}

async function listCandidateFiles(session: LockedSession): Promise<string[]> {
  const { workspace } = session.experiment.where
  if (!session.repo) return listFilesBelow(workspace, workspace, new Set(['.git', 'node_modules']))
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = await runGit(session.repo, args, { cwd: workspace })
  return listed.split('\0').filter((path) => path !== '')
}

/**
 * Returns the regular files below `dir`, relative to `root`, without those in directories whose name is in
 * `skipped`. Returns an empty list if `dir` is missing.
 */
async function listFilesBelow(root: string, dir: string, skipped: ReadonlySet<string>): Promise<string[]> {
  const files: string[] = []
  const entries = await readdir(dir, { withFileTypes: true }).catch(ignoreCodes('ENOENT', 'ENOTDIR'))
  for (const entry of entries ?? []) {
    const path = join(dir, entry.name)
    if (entry.isFile()) files.push(relative(root, path))
    else if (entry.isDirectory() && !skipped.has(entry.name))
      files.push(...(await listFilesBelow(root, path, skipped)))
  }
  return files
}
