// The custom tools of a session as entries of its catalog.
import { cacheDir } from '../../base/dirs.ts'
import type { RunCommand } from '../../process/process-command.ts'
import type { ToolEntry } from '../../tool/catalog.ts'
import { toToolEntries } from '../../tool/describe.ts'
import { loadCustomTools, type ToolTier } from '../../toolbox/custom-tools.ts'
import type { WorkspaceContext } from '../workspace/workspace.ts'

export interface CustomEntries {
  entries: ToolEntry[]
  notes: string[]
}

/** Returns the custom tools in the directories of `tiers`, and notices about errors. */
export async function loadCustomEntries(
  context: WorkspaceContext,
  run: RunCommand,
  tiers: readonly ToolTier[],
): Promise<CustomEntries> {
  const { env, loaded } = context
  const seconds = loaded.config.tools?.externalTimeout
  const customTools = await loadCustomTools({ tiers, run, cacheDir: cacheDir(env), seconds })
  const entries = customTools.tools.flatMap(({ tool, guidance }) =>
    toToolEntries([tool], 'custom').map((entry) => ({ ...entry, guidance: guidance ?? entry.guidance })),
  )
  return { entries, notes: customTools.diagnostics }
}
