// Hooks of a session, read from their files and bound: those of the workspace run behind its wall.
import { bindHooks, type HookHost, type SessionHooks } from '../../hook/hook-runner.ts'
import { loadHooks } from '../../hook/hooks-file.ts'
import { folderWall } from '../../tool-support/command-wall.ts'

export async function bindSessionHooks(
  paths: readonly string[],
  workspace: { folder: string; file: string },
  host: HookHost,
): Promise<SessionHooks> {
  const { hooks, diagnostics } = await loadHooks([...paths])
  for (const { where, message } of diagnostics) host.warn(`${where}: ${message}`)
  const wall = (path: string) => (path === workspace.file ? folderWall(workspace.folder) : undefined)
  return bindHooks(hooks, { ...host, wall })
}
