// Which process plugins are configured, and which of them may run here.

import { isAbsolute, join, relative, resolve } from 'node:path'
import { cacheDir } from '../../base/dirs.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import { homedir } from '../../base/home.ts'
import type { PluginSetting } from '../../plugin/plugin.ts'
import type { PluginSet } from '../../plugin/plugins.ts'
import type { ShowStart, SpawnProcess } from '../../process/process-command.ts'
import type { WorkspaceContext } from '../workspace/workspace.ts'

/** Absent when none is configured; then nothing is loaded. */
export async function openWorkspacePlugins(
  context: WorkspaceContext,
  spawn: SpawnProcess,
  signal: AbortSignal,
  showStart?: ShowStart,
): Promise<PluginSet | undefined> {
  const { plugins } = context.loaded.config
  if (!plugins?.paths?.length) return undefined
  const { openPlugins } = await import('../../plugin/plugins.ts')
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
 * Trust covers the files below .anode and .agents alone: a plugin that lies elsewhere in the workspace could
 * change.
 */
export function readPluginSettings(
  { workspace, trusted, data, loaded }: WorkspaceContext,
  paths: readonly string[],
) {
  const places = loaded.config.plugins?.sandbox
  // what a workspace says of walls is for its own plugins
  const isPersons = [...loaded.origins].some(
    ([key, path]) => key.startsWith('plugins.sandbox') && path !== join(workspace, 'anode.json'),
  )
  const settings: PluginSetting[] = []
  const notes: string[] = []
  for (const configuredPath of new Set(paths)) {
    const path = resolve(workspace, configuredPath.replace(/^~(?=\/|$)/, homedir()))
    const within = relative(workspace, path)
    const own = !within.startsWith('..') && !isAbsolute(within)
    const covered = ['.anode', '.agents'].some((dir) => within.startsWith(join(dir, '/')))
    // what a workspace brings has a wall, what a person has put there where the configuration names one
    const state = join(data, 'servers', `plugin-${fingerprint(path).slice(0, 16)}`)
    const sandboxOf = async () => {
      const { serverSandbox } = await import('../../process/server-sandbox.ts')
      return serverSandbox({ folders: [workspace], state, places, base: workspace, words: [path] })
    }
    const sandbox = own || isPersons ? sandboxOf : undefined
    if (!own || (trusted && covered)) settings.push({ path, own, sandbox })
    else if (!covered)
      notes.push(`plugin ${path}: of a workspace only plugins below .anode or .agents are used`)
    else notes.push(`plugin ${path}: not used until \`anode trust\``)
  }
  return { settings, notes }
}
