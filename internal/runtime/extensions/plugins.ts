// Selection of process plugins, which are programs outside of Anode: which are configured, and which may run
// in this workspace.

import { join, relative, resolve } from 'node:path'
import { cacheDir, homeDir, leadsOutside } from '../../base/dirs.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import type { PluginSetting } from '../../plugin/plugin.ts'
import { openPlugins, type PluginSet } from '../../plugin/plugins.ts'
import type { ShowStart, SpawnProcess } from '../../process/process-command.ts'
import { serverSandbox } from '../../process/server-sandbox.ts'
import type { WorkspaceContext } from '../workspace/workspace.ts'

/** Opens the plugins. Returns undefined if no plugin is configured. */
export async function openWorkspacePlugins(
  context: WorkspaceContext,
  spawn: SpawnProcess,
  signal: AbortSignal,
  showStart?: ShowStart,
): Promise<PluginSet | undefined> {
  const { plugins } = context.loaded.config
  if (!plugins?.paths?.length) return undefined
  const { settings, notes } = readPluginSettings(context, plugins.paths)
  const opened = await openPlugins(
    settings,
    cacheDir(context.env),
    {
      spawn,
      workspace: context.workspace,
      version: process.env.ANODE_VERSION ?? '0',
      startMs: (plugins.startTimeout ?? 10) * 1000,
      callMs: (plugins.callTimeout ?? 120) * 1000,
      showStart,
    },
    signal,
  )
  return { ...opened, notes: [...notes, ...opened.notes] }
}

/**
 * Returns the settings of the plugins that may run, and notes about the others. The user's trust covers only
 * files below .anode and .agents. A plugin in another directory of the workspace could change without a
 * notice, so it may not run.
 */
export function readPluginSettings(
  { workspace, trusted, data, loaded }: WorkspaceContext,
  paths: readonly string[],
) {
  const places = loaded.config.plugins?.sandbox
  // sandbox settings that only a workspace sets apply only to plugins of the workspace
  const isOfUser = [...loaded.origins].some(
    ([key, path]) => key.startsWith('plugins.sandbox') && path !== join(workspace, 'anode.json'),
  )
  const settings: PluginSetting[] = []
  const notes: string[] = []
  for (const configuredPath of new Set(paths)) {
    const path = resolve(workspace, configuredPath.replace(/^~(?=\/|$)/, homeDir()))
    const within = relative(workspace, path)
    const isInWorkspace = !leadsOutside(within)
    const covered = ['.anode', '.agents'].some((dir) => within.startsWith(join(dir, '/')))
    // a plugin of the workspace always gets a sandbox, a plugin of the user only if the
    // user's configuration sets one
    const state = join(data, 'servers', `plugin-${fingerprint(path).slice(0, 16)}`)
    const sandboxOf = async () => {
      return serverSandbox({ folders: [workspace], state, places, base: workspace, words: [path] })
    }
    const sandbox = isInWorkspace || isOfUser ? sandboxOf : undefined
    if (!isInWorkspace || (trusted && covered)) settings.push({ path, own: isInWorkspace, sandbox })
    else if (!covered)
      notes.push(`plugin ${path}: of a workspace only plugins below .anode or .agents are used`)
    else notes.push(`plugin ${path}: not used until \`anode trust\``)
  }
  return { settings, notes }
}
