// The hooks of the user and of a trusted workspace, bound to one session.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { configDir } from '../../base/dirs.ts'
import type { HookHost, SessionHooks } from '../../hook/hook-runner.ts'
import type { WorkspaceContext } from '../workspace.ts'

const none: SessionHooks = { fire: async () => undefined, middleware: undefined }

/** Nothing is loaded when there is no hooks.json. */
export async function loadSessionHooks(context: WorkspaceContext, host: HookHost): Promise<SessionHooks> {
  const paths = listHookFiles(context)
  if (paths.length === 0) return none
  return (await import('./hook-binding.ts')).bindSessionHooks(
    paths,
    { folder: context.workspace, file: hooksOf(context.workspace) },
    host,
  )
}

const hooksOf = (workspace: string) => join(workspace, '.anode', 'hooks.json')

/** The files that are there: the user's, and the workspace's when it is trusted. */
export function listHookFiles({ env, workspace, trusted }: WorkspaceContext): string[] {
  return [join(configDir(env), 'hooks.json'), ...(trusted ? [hooksOf(workspace)] : [])].filter((path) =>
    existsSync(path),
  )
}
