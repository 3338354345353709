// Which process plugins are configured, and which of them may run here.

import { isAbsolute, join, relative, resolve } from 'node:path'
import { cacheDir } from '../../base/dirs.ts'
import { homedir } from '../../base/home.ts'
import type { Setting } from '../../plugin/plugin.ts'
import type { Plugins } from '../../plugin/plugins.ts'
import type { Spawn } from '../../process/command.ts'
import type { Surroundings } from '../surroundings.ts'

/** Absent when none is configured; then nothing is loaded. */
export async function pluginsOf(
  around: Surroundings,
  spawn: Spawn,
  signal: AbortSignal,
): Promise<Plugins | undefined> {
  const { plugins } = around.loaded.config
  if (!plugins?.paths?.length) return undefined
  const { openPlugins } = await import('../../plugin/plugins.ts')
  const { settings, notes } = settingsOf(around, plugins.paths)
  const opened = await openPlugins(
    settings,
    cacheDir(around.env),
    {
      spawn,
      workspace: around.workspace,
      version: process.env.ANODE_VERSION ?? '0',
      startMs: (plugins.startTimeout ?? 10) * 1000,
      callMs: (plugins.callTimeout ?? 120) * 1000,
    },
    signal,
  )
  return { ...opened, notes: [...notes, ...opened.notes] }
}

/** Trust covers the files below .anode and .agents alone: a plugin that lies elsewhere in the workspace could change. */
function settingsOf({ workspace, trusted }: Surroundings, paths: readonly string[]) {
  const settings: Setting[] = []
  const notes: string[] = []
  for (const said of new Set(paths)) {
    const path = resolve(workspace, said.replace(/^~(?=\/|$)/, homedir()))
    const within = relative(workspace, path)
    const own = !within.startsWith('..') && !isAbsolute(within)
    const covered = ['.anode', '.agents'].some((dir) => within.startsWith(join(dir, '/')))
    if (!own || (trusted && covered)) settings.push({ path, own })
    else if (!covered)
      notes.push(`plugin ${path}: of a workspace only plugins below .anode or .agents are used`)
    else notes.push(`plugin ${path}: not used until \`anode trust\``)
  }
  return { settings, notes }
}
