// Quick check whether an installed language server supports any file of the workspace, judged by
// the file names.
import { type Dirent, existsSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { knownServers } from './known-servers.ts'
import { findServerProgram, type LspSearchScope, searchPath, serverFiles } from './program-search.ts'

/**
 * Largest number of file names that are checked. In a larger workspace, the rest is skipped and a server is
 * assumed to fit.
 */
const maxNames = 3_000

const skipped = /^(\..*|node_modules|vendor|target|dist|build)$/

/**
 * Returns true if an installed server that may run here supports a file of the workspace, else the reason.
 * Also returns true if a configuration file exists, because it may add any extension, and if the search
 * reaches its limit of 3,000 names. Hidden and generated directories are skipped.
 */
export function anyFittingServer(place: LspSearchScope): true | string {
  if (serverFiles(place).some((path) => existsSync(path))) return true
  const dirs = searchPath(place)
  const keys = new Set<string>()
  for (const { name, command, extensions } of knownServers) {
    const usable = place.trusted || name !== 'rust-analyzer'
    if (usable && findServerProgram(command, place, dirs)) for (const key in extensions) keys.add(key)
  }
  if (hasFile(place.workspace, keys)) return true
  return 'no language server fits the files of this workspace; `anode lsp list` says what is looked for'
}

function hasFile(top: string, keys: ReadonlySet<string>): boolean {
  if (keys.size === 0) return false
  const waiting = [top]
  let count = 0
  for (let dir = waiting.shift(); dir !== undefined; dir = waiting.shift()) {
    for (const entry of listNames(dir)) {
      if (++count > maxNames) return true
      if (entry.isDirectory()) {
        if (!skipped.test(entry.name)) waiting.push(join(dir, entry.name))
      } else if (keys.has(entry.name) || keys.has(extname(entry.name).toLowerCase())) return true
    }
  }
  return false
}

/**
 * Returns the entries of a directory; empty if it cannot be read, because no server could read
 * its files either.
 */
function listNames(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
  } catch {
    return []
  }
}
