// Language servers as a capability. The start checks only the names of programs and files; the other code
// loads when a tool needs it.
import { type Dirent, existsSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { knownServers } from '../../lsp/config/known-servers.ts'
import {
  anyServer,
  findServerProgram,
  type LspSearchScope,
  searchPath,
  serverFiles,
} from '../../lsp/config/program-search.ts'
import type { LanguageServers } from '../../lsp/language-servers.ts'
import type { SpawnProcess } from '../../process/process-command.ts'
import type { LspServers } from '../../tool/lsp.ts'
import type { WorkspaceContext } from '../workspace/workspace.ts'

/**
 * Opens the language servers, or returns undefined if they are turned off. No server starts
 * before the first request.
 */
export function openLanguageServers(
  context: WorkspaceContext,
  addDirs: readonly string[],
  spawn: SpawnProcess,
): { can: LspServers; fits(): true | string; close(): Promise<void> } | undefined {
  if (context.loaded.config.lsp?.enabled === false) return undefined
  let opening: Promise<LanguageServers> | undefined
  let opened: LanguageServers | undefined
  let there: true | string | undefined
  let fitting: true | string | undefined
  const start = async () => {
    const { startLanguageServers } = await import('./started-language-servers.ts')
    opened = await startLanguageServers(context, addDirs, spawn)
    return opened
  }
  const open = () => {
    opening ??= start()
    return opening
  }
  return {
    can: {
      usable() {
        there ??= anyServer(context)
        return there
      },
      query: async (query, signal) => (await open()).query(query, signal),
      diagnose: async (files, waitMs, signal) => (await open()).diagnose(files, waitMs, signal),
      known: () => opened?.known() ?? [],
      edited: async (files, signal) => opened?.edited(files, signal) ?? [],
    },
    fits() {
      fitting ??= anyFittingServer(context)
      return fitting
    },
    async close() {
      if (opening) await (await opening).stop()
    },
  }
}

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
function anyFittingServer(place: LspSearchScope): true | string {
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
