// Selection of toolboxes, which are directories of programs that act as tools: those of the user, and of a
// workspace only those that the user trusts.
import { realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { cacheDir, homeDir } from '../../base/dirs.ts'
import { isWithin } from '../../policy/paths/path-jail.ts'
import type { RunCommand } from '../../process/process-command.ts'
import type { ToolEntry } from '../../tool/catalog.ts'
import { toToolEntries } from '../../tool/describe.ts'
import { loadToolbox } from '../../toolbox/toolbox.ts'
import type { WorkspaceContext } from '../workspace/workspace.ts'

/** Loads toolbox programs. Directories of ANODE_TOOLBOX come after those of the configuration. */
export async function loadToolboxes(
  context: WorkspaceContext,
  run: RunCommand,
): Promise<{ entries: ToolEntry[]; notes: string[] }> {
  const { env, loaded } = context
  const { dirs, workspaceDirs, notes } = chooseToolboxDirs(context)
  if (dirs.length === 0) return { entries: [], notes }
  const seconds = loaded.config.tools?.externalTimeout
  const toolbox = await loadToolbox({ dirs, workspaceDirs, run, cacheDir: cacheDir(env), seconds })
  return { entries: toToolEntries(toolbox.tools, 'toolbox'), notes: [...notes, ...toolbox.diagnostics] }
}

/**
 * Returns the real paths of the toolbox directories that may be used, and notices about the others. A
 * relative directory starts at the directory of the configuration file. In ANODE_TOOLBOX it would depend on
 * the current workspace, so it is skipped. A directory in a workspace may be used if the workspace is trusted
 * and the directory is below .anode or .agents.
 */
export function chooseToolboxDirs({ env, workspace, trusted, loaded }: WorkspaceContext) {
  const file = loaded.origins.get('tools.toolboxDirs')
  const listed = (loaded.config.tools?.toolboxDirs ?? []).map((dir) => ({ dir, base: file && dirname(file) }))
  const named = (env.ANODE_TOOLBOX ?? '').split(':').filter((dir) => dir !== '')
  const dirs: string[] = []
  const workspaceDirs: string[] = []
  const notes: string[] = []
  for (const { dir, base } of [...listed, ...named.map((dir) => ({ dir, base: undefined }))]) {
    const expanded = dir.replace(/^~(?=\/|$)/, homeDir())
    if (base === undefined && !isAbsolute(expanded)) {
      notes.push(`${dir}: a relative directory of ANODE_TOOLBOX is not used`)
      continue
    }
    const path = realOr(resolve(base ?? '/', expanded))
    const isOwn = isWithin(path, workspace)
    const isCovered = ['.anode', '.agents'].some((name) => isWithin(path, join(workspace, name)))
    if (isOwn && !isCovered)
      notes.push(`${path}: of a workspace only toolboxes below .anode or .agents are used`)
    else if (isOwn && !trusted) notes.push(`${path}: not used until \`anode trust\``)
    else {
      dirs.push(path)
      if (isOwn) workspaceDirs.push(path)
    }
  }
  return { dirs, workspaceDirs, notes }
}

function realOr(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    // a path that cannot be resolved stays unchanged, because loading the toolbox reports the reason
    return path
  }
}
