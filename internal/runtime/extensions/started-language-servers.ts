// The start of the language servers of a workspace: their configuration, their sandboxes and their programs.
import { join } from 'node:path'
import type { FileDiagnostic } from '../../base/diagnostic.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import { loadServers } from '../../lsp/config/lsp-config.ts'
import { serverFiles } from '../../lsp/config/program-search.ts'
import { chooseServers, type ServerEntries } from '../../lsp/config/server-entries.ts'
import type { LspServerEntry } from '../../lsp/config/server-entry.ts'
import { type LanguageServers, openLspServers } from '../../lsp/language-servers.ts'
import type { SpawnProcess } from '../../process/process-command.ts'
import { serverSandbox } from '../../process/server-sandbox.ts'
import { resolveAddedDir } from '../session-policy.ts'
import type { WorkspaceContext } from '../workspace/workspace.ts'

export async function startLanguageServers(
  context: WorkspaceContext,
  addDirs: readonly string[],
  spawn: SpawnProcess,
): Promise<LanguageServers> {
  const { entries, idle } = await loadServerEntries(context)
  const roots = [
    context.workspace,
    ...addDirs.map((dir) => resolveAddedDir(context.workspace, dir, context.env)),
  ]
  return openLspServers({ entries: sandboxedEntries(entries, roots, context), idle, roots, spawn })
}

/** Returns the entries, each with its sandbox if it starts in one. */
export function sandboxedEntries(
  entries: readonly LspServerEntry[],
  folders: readonly string[],
  { workspace, data }: WorkspaceContext,
): LspServerEntry[] {
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
  const { sources, diagnostics } = await loadServers(serverFiles(context))
  const serverEntries = chooseServers(sources, context)
  return { ...serverEntries, diagnostics }
}
