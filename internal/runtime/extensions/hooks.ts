// Hooks of the user and of a trusted workspace, read once per session.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { configDir } from '../../base/dirs.ts'
import type { HookBinder, HookHost, SessionHooks } from '../../hook/hook-runner.ts'
import type { WorkspaceContext } from '../workspace/workspace.ts'

const none: SessionHooks = { fire: async () => undefined, middleware: undefined }

/**
 * Loads the hooks and reports warnings about their files to `warn`. Throws UserError for an invalid hook.
 * Loads no code without a hooks.json.
 */
export async function loadSessionHooks(
  context: WorkspaceContext,
  warn: HookHost['warn'],
): Promise<HookBinder> {
  const paths = listHookFiles(context)
  if (paths.length === 0) return () => none
  const workspace = { folder: context.workspace, file: workspaceHooksFile(context.workspace) }
  return (await import('./hook-binding.ts')).loadHookBinder(paths, workspace, warn)
}

/** Returns the path of a workspace's hooks. */
export const workspaceHooksFile = (workspace: string): string => join(workspace, '.anode', 'hooks.json')

/** Returns the hook files that count: the user's, and the workspace's if it is trusted. */
export function listHookFiles({ env, workspace, trusted }: WorkspaceContext): string[] {
  return [join(configDir(env), 'hooks.json'), ...(trusted ? [workspaceHooksFile(workspace)] : [])].filter(
    (path) => existsSync(path),
  )
}
