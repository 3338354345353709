// The files of a workspace that a lock may mean.
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { runGit } from '../git/git-tree.ts'
import type { LockedSession } from './experiment-workspace.ts'
import { listAutoFiles } from './integrity-lock.ts'

/** Names relative to the workspace: those of `.auto`, and every file that git would not ignore. */
export async function listWorkspaceFiles(session: LockedSession): Promise<string[]> {
  const { workspace } = session.experiment.where
  const own = await listAutoFiles(workspace)
  return [...new Set([...own, ...(await others(session))])]
}

async function others(session: LockedSession): Promise<string[]> {
  const { workspace } = session.experiment.where
  if (!session.repo) return walk(workspace, workspace)
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = await runGit(session.repo, args, { cwd: workspace })
  return listed.split('\0').filter((path) => path !== '')
}

async function walk(root: string, dir: string): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name)
    if (entry.isFile()) found.push(relative(root, path))
    else if (entry.isDirectory() && !heavy.has(entry.name)) found.push(...(await walk(root, path)))
  }
  return found
}

const heavy = new Set(['.git', 'node_modules'])
