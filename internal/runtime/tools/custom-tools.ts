// The custom tools of a session: those of the package and of the user, and of a workspace only those
// that trust covers.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findBuiltin } from '../../base/builtin.ts'
import { cacheDir, configDir } from '../../base/dirs.ts'
import type { RunCommand } from '../../process/process-command.ts'
import type { ToolEntry } from '../../tool/catalog.ts'
import type { ToolTier } from '../../toolbox/custom-tools.ts'
import { findToolModules } from '../../trust/tool-modules.ts'
import type { WorkspaceContext } from '../workspace/workspace.ts'

interface CustomEntries {
  entries: ToolEntry[]
  notes: string[]
}

/**
 * Returns the custom tools and notices about errors. `withFolder`: modules in the workspace's directory
 * `tools` count too.
 */
export async function loadCustomEntries(
  context: WorkspaceContext,
  run: RunCommand,
  withFolder: boolean,
): Promise<CustomEntries> {
  const { env, loaded } = context
  const tiers = customTiers(context, withFolder).filter(
    ({ modules, programs }) => existsSync(modules) || (programs !== undefined && existsSync(programs)),
  )
  if (tiers.length === 0) return { entries: [], notes: [] }
  const { loadCustomTools } = await import('../../toolbox/custom-tools.ts')
  const seconds = loaded.config.tools?.externalTimeout
  const found = await loadCustomTools({ tiers, run, cacheDir: cacheDir(env), seconds })
  const { toToolEntries } = await import('../../tool/describe.ts')
  const entries = found.tools.flatMap(({ tool, guidance }) =>
    toToolEntries([tool], 'custom').map((entry) => ({ ...entry, guidance: guidance ?? entry.guidance })),
  )
  return { entries, notes: found.diagnostics }
}

/**
 * Returns the sources of custom tools. Of two tools with the same name, the tool of the later source counts.
 */
function customTiers(
  { env, workspace, trusted }: Pick<WorkspaceContext, 'env' | 'workspace' | 'trusted'>,
  withFolder: boolean,
): ToolTier[] {
  const user = configDir(env)
  const own: ToolTier[] = [
    { modules: findBuiltin('tools').dir, programs: findBuiltin('bin').dir, isWorkspaces: false },
    { modules: join(user, 'tools'), programs: join(user, 'bin'), isWorkspaces: false },
  ]
  if (!trusted) return own
  const folder: ToolTier = {
    modules: join(workspace, 'tools'),
    names: withFolder ? findToolModules(workspace) : [],
    isWorkspaces: true,
  }
  return [
    ...own,
    { modules: join(workspace, '.anode', 'tools'), isWorkspaces: true },
    ...(withFolder ? [folder] : []),
  ]
}
