// List of the configured plugins, with the events and tools that each declares.

import { openWorkspacePlugins } from '../../runtime/extensions/plugins.ts'
import { openProcesses } from '../../runtime/processes/session-processes.ts'
import { readWorkspaceContext } from '../../runtime/workspace/workspace.ts'

interface PluginRow {
  name: string
  path: string
  tools: string[]
  /** Types of the events that the plugin receives. */
  events: 'all' | readonly string[]
  /**
   * Patterns of names of the tools whose calls the plugin may veto; `*` for all, empty for none. A pattern
   * for `bash` covers all shell tools.
   */
  vetoes: readonly string[]
}

/**
 * Returns the plugins in use, and a note for each plugin that is not in use. A plugin is started only if its
 * declaration of events and tools is unknown. All processes have ended when this resolves.
 */
export async function listPlugins(target: {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
}): Promise<{ plugins: PluginRow[]; notes: readonly string[] }> {
  const context = await readWorkspaceContext(target.cwd, target.env)
  const closers: (() => void | Promise<void>)[] = []
  const { spawn } = openProcesses(context, undefined, closers)
  try {
    const set = await openWorkspacePlugins(context, spawn, target.signal)
    if (!set) return { plugins: [], notes: [] }
    closers.unshift(() => set.close())
    const plugins = set.all.map(({ path, about, tools, events, decide }): PluginRow => {
      const vetoes = decide === undefined ? [] : (decide.tools ?? ['*'])
      return { name: about.said.name, path, tools: tools.map(({ name }) => name), events, vetoes }
    })
    return { plugins, notes: set.notes }
  } finally {
    for (const close of closers) await close()
  }
}
