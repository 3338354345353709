// Language servers as a capability. The start checks only program names; the other code loads when a
// tool needs it.

import { anyFittingServer } from '../../lsp/config/fitting-files.ts'
import { anyServer } from '../../lsp/config/program-search.ts'
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
