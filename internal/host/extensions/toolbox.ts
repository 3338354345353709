// Which toolbox directories count here: the user's, and of a workspace only what trust covers.
import { realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { cacheDir } from '../../base/dirs.ts'
import { homedir } from '../../base/home.ts'
import { within } from '../../policy/path.ts'
import type { Run } from '../../process/command.ts'
import type { Entry } from '../../tool/catalog.ts'
import type { Surroundings } from '../surroundings.ts'

/** Toolbox programs; without directories nothing is loaded. Those in the variable come after the configured ones. */
export async function toolboxOf(
  around: Surroundings,
  run: Run,
): Promise<{ entries: Entry[]; notes: string[] }> {
  const { env, loaded } = around
  const { dirs, workspaceDirs, notes } = chooseToolboxDirs(around)
  if (dirs.length === 0) return { entries: [], notes }
  const { findToolbox } = await import('../../toolbox/toolbox.ts')
  const seconds = loaded.config.tools?.externalTimeout
  const found = await findToolbox({
    dirs,
    workspaceDirs,
    run,
    cacheDir: cacheDir(env),
    ...(seconds !== undefined && { seconds }),
  })
  const { entriesOf } = await import('../describe.ts')
  return { entries: entriesOf(found.tools, 'toolbox'), notes: [...notes, ...found.diagnostics] }
}

/**
 * Real paths. A relative directory starts from the file that names it; in ANODE_TOOLBOX it would start from whatever
 * workspace one happens to be in, so it is left out. What lies in a workspace counts when the workspace is trusted
 * and trust covers it.
 */
export function chooseToolboxDirs({ env, workspace, trusted, loaded }: Surroundings) {
  const file = loaded.origins.get('tools.toolboxDirs')
  const listed = (loaded.config.tools?.toolboxDirs ?? []).map((dir) => ({ dir, base: file && dirname(file) }))
  const named = (env.ANODE_TOOLBOX ?? '').split(':').filter((dir) => dir !== '')
  const dirs: string[] = []
  const workspaceDirs: string[] = []
  const notes: string[] = []
  for (const { dir, base } of [...listed, ...named.map((dir) => ({ dir, base: undefined }))]) {
    const said = dir.replace(/^~(?=\/|$)/, homedir())
    if (base === undefined && !isAbsolute(said)) {
      notes.push(`${dir}: a relative directory of ANODE_TOOLBOX is not used`)
      continue
    }
    const path = realOr(resolve(base ?? '/', said))
    const isOwn = within(path, workspace)
    const isCovered = ['.anode', '.agents'].some((name) => within(path, join(workspace, name)))
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
    // the toolbox itself says what is wrong with it
    return path
  }
}
