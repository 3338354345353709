// Language servers as a capability: one quick look at names, everything else loaded when a tool asks.

import type { Diagnostic } from '../../base/diagnostic.ts'
import { anyServer, serverFiles } from '../../lsp/commands.ts'
import type { Entries } from '../../lsp/entries.ts'
import type { Servers } from '../../lsp/servers.ts'
import type { Spawn } from '../../process/command.ts'
import type { LspServers } from '../../tool/lsp.ts'
import { realDir } from '../policy.ts'
import type { Surroundings } from '../surroundings.ts'

/** Undefined when they are turned off. Nothing starts before the first question. */
export function languageServers(
  around: Surroundings,
  addDirs: readonly string[],
  spawn: Spawn,
): { can: LspServers; close(): Promise<void> } | undefined {
  if (around.loaded.config.lsp?.enabled === false) return undefined
  let opening: Promise<Servers> | undefined
  let opened: Servers | undefined
  let there: true | string | undefined
  const open = () => {
    opening ??= start(around, addDirs, spawn).then((servers) => {
      opened = servers
      return servers
    })
    return opening
  }
  return {
    can: {
      usable() {
        there ??= anyServer(around)
        return there
      },
      query: async (query, signal) => (await open()).query(query, signal),
      diagnose: async (files, waitMs, signal) => (await open()).diagnose(files, waitMs, signal),
      known: () => opened?.known() ?? [],
      edited: async (files, signal) => opened?.edited(files, signal) ?? [],
    },
    async close() {
      if (opening) await (await opening).stop()
    },
  }
}

async function start(around: Surroundings, addDirs: readonly string[], spawn: Spawn): Promise<Servers> {
  const { openServers } = await import('../../lsp/servers.ts')
  const { entries, idle } = await configured(around)
  const roots = [around.workspace, ...addDirs.map((dir) => realDir(around.workspace, dir))]
  return openServers({ entries, idle, roots, spawn })
}

/** The servers of the workspace, with what is wrong with their configuration. */
export async function configured(around: Surroundings): Promise<Entries & { diagnostics: Diagnostic[] }> {
  const { loadServers } = await import('../../lsp/config.ts')
  const { chooseServers } = await import('../../lsp/entries.ts')
  const { sources, diagnostics } = await loadServers(serverFiles(around))
  const chosen = chooseServers(sources, around)
  return { ...chosen, diagnostics }
}
