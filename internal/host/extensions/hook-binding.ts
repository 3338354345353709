// Hooks of a session, read from their files and bound: those of the workspace run behind its wall.
import { bindHooks, type HookBinder, type HookHost } from '../../hook/hook-runner.ts'
import { loadHooks } from '../../hook/hooks-file.ts'
import { folderWall } from '../../tool-support/command-wall.ts'

export async function loadHookBinder(
  paths: readonly string[],
  workspace: { folder: string; file: string },
  warn: HookHost['warn'],
): Promise<HookBinder> {
  const { hooks, diagnostics } = await loadHooks([...paths])
  for (const { where, message } of diagnostics) warn(`${where}: ${message}`)
  const wall = (path: string) => (path === workspace.file ? folderWall(workspace.folder) : undefined)
  return (host) => bindHooks(hooks, { ...host, wall })
}
