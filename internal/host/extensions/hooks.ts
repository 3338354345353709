// The hooks of the user and of a trusted workspace, bound to one session.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { configDir } from '../../base/dirs.ts'
import type { HookHost, Hooks } from '../../hook/fire.ts'
import type { Surroundings } from '../surroundings.ts'

const none: Hooks = { fire: async () => undefined, around: undefined }

/** Nothing is loaded when there is no hooks.json. */
export async function hooksOf(around: Surroundings, host: HookHost): Promise<Hooks> {
  const paths = hookFiles(around)
  if (paths.length === 0) return none
  const { loadHooks } = await import('../../hook/load.ts')
  const { bindHooks } = await import('../../hook/fire.ts')
  const { hooks, diagnostics } = await loadHooks(paths)
  for (const { where, message } of diagnostics) host.warn(`${where}: ${message}`)
  return bindHooks(hooks, host)
}

/** The files that are there: the user's, and the workspace's when it is trusted. */
export function hookFiles({ env, workspace, trusted }: Surroundings): string[] {
  const own = join(workspace, '.anode', 'hooks.json')
  return [join(configDir(env), 'hooks.json'), ...(trusted ? [own] : [])].filter((path) => existsSync(path))
}
