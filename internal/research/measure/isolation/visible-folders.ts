// Directories below /tmp that commands need although they get a private /tmp.
import { realpathSync, statSync } from 'node:fs'

/**
 * Returns the real paths of the existing directories below /tmp, each once, outer ones first. Omits
 * all other directories.
 */
export function visibleFolders(folders: readonly string[]): string[] {
  const realFolders = new Set<string>()
  for (const folder of folders) {
    const real = realOf(folder)
    if (real?.startsWith('/tmp/')) realFolders.add(real)
  }
  return [...realFolders].sort()
}

function realOf(folder: string): string | undefined {
  try {
    return statSync(folder).isDirectory() ? realpathSync(folder) : undefined
  } catch {
    // PATH may contain directories that do not exist.
    return undefined
  }
}
