// Language servers as a capability. The start checks only program names; the other code loads when a
// tool needs it.

import { join } from 'node:path'
import type { FileDiagnostic } from '../../base/diagnostic.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import { anyFittingServer } from '../../lsp/config/fitting-files.ts'
import { anyServer, serverFiles } from '../../lsp/config/program-search.ts'
import type { ServerEntries } from '../../lsp/config/server-entries.ts'
import type { LspServerEntry } from '../../lsp/config/server-entry.ts'
import type { LanguageServers } from '../../lsp/language-servers.ts'
import type { SpawnProcess } from '../../process/process-command.ts'
import type { LspServers } from '../../tool/lsp.ts'
import { resolveAddedDir } from '../session-policy.ts'
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
  const open = () => {
    opening ??= start(context, addDirs, spawn).then((servers) => {
      opened = servers
      return servers
    })
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

async function start(
  context: WorkspaceContext,
  addDirs: readonly string[],
  spawn: SpawnProcess,
): Promise<LanguageServers> {
  const { openLspServers } = await import('../../lsp/language-servers.ts')
  const { entries, idle } = await loadServerEntries(context)
  const roots = [
    context.workspace,
    ...addDirs.map((dir) => resolveAddedDir(context.workspace, dir, context.env)),
  ]
  return openLspServers({ entries: await sandboxedEntries(entries, roots, context), idle, roots, spawn })
}

/** Returns the entries, each with its sandbox if it starts in one. */
export async function sandboxedEntries(
  entries: readonly LspServerEntry[],
  folders: readonly string[],
  { workspace, data }: WorkspaceContext,
): Promise<LspServerEntry[]> {
  const { serverSandbox } = await import('../../process/server-sandbox.ts')
  return entries.map((entry) => {
    const { name, program, args, sandbox: places, sandboxed } = entry
    if (!sandboxed && !places) return entry
    const state = join(data, 'servers', `lsp-${name}-${fingerprint(workspace).slice(0, 16)}`)
    const words = [program, ...args]
    return { ...entry, sandboxRequest: serverSandbox({ folders, state, places, base: workspace, words }) }
  })
}

/**
 * Returns the language servers that are configured for the workspace, and the errors in their configuration.
 */
export async function loadServerEntries(
  context: WorkspaceContext,
): Promise<ServerEntries & { diagnostics: FileDiagnostic[] }> {
  const { loadServers } = await import('../../lsp/config/lsp-config.ts')
  const { chooseServers } = await import('../../lsp/config/server-entries.ts')
  const { sources, diagnostics } = await loadServers(serverFiles(context))
  const chosen = chooseServers(sources, context)
  return { ...chosen, diagnostics }
}
