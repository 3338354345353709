// The files of a workspace that a lock may mean.
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Seat } from './desk.ts'
import { autoFiles } from './seal.ts'
import { ask } from './tree.ts'

/** Names relative to the workspace: those of `.auto`, and every file that git would not ignore. */
export async function filesOf(seat: Seat): Promise<string[]> {
  const { workspace } = seat.desk.where
  const own = await autoFiles(workspace)
  return [...new Set([...own, ...(await others(seat))])]
}

async function others(seat: Seat): Promise<string[]> {
  const { workspace } = seat.desk.where
  if (!seat.shelf) return walk(workspace, workspace)
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = await ask(seat.shelf, args, { cwd: workspace })
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
