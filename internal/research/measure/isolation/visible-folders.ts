// Folders below /tmp that commands need although they get a /tmp of their own.
import { realpathSync, statSync } from 'node:fs'

/** Real paths of those that exist, each once, outer ones first. */
export function visibleFolders(folders: readonly string[]): string[] {
  const found = new Set<string>()
  for (const folder of folders) {
    const real = realOf(folder)
    if (real?.startsWith('/tmp/')) found.add(real)
  }
  return [...found].sort()
}

function realOf(folder: string): string | undefined {
  try {
    return statSync(folder).isDirectory() ? realpathSync(folder) : undefined
  } catch {
    // PATH names folders that are not there, too
    return undefined
  }
}
