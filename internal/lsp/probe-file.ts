// The search for one file of a language, because some servers know nothing of a workspace before one of its
// files is open.
import { join } from 'node:path'
import { listEntries } from '../base/files/path-lookup.ts'

const maxVisited = { folders: 400 }
const passedOver = new Set(['node_modules', 'vendor', 'target', 'dist', 'build', 'out', 'coverage'])

/**
 * Returns the first file that fits, or undefined. It searches level by level in the order of names, in at
 * most 400 directories. Hidden and generated directories are skipped, links are not followed.
 */
export function findProbeFile(root: string, fits: (path: string) => boolean): string | undefined {
  const queue = [root]
  for (let i = 0; i < queue.length && i < maxVisited.folders; i++) {
    const dir = queue[i] as string
    for (const entry of listEntries(dir).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(dir, entry.name)
      if (entry.isFile() && fits(path)) return path
      if (entry.isDirectory() && !entry.name.startsWith('.') && !passedOver.has(entry.name)) queue.push(path)
    }
  }
  return undefined
}
