// Hooks of a session, read from their files. Hooks of the workspace run in its sandbox.
import { UserError } from '../../base/errors.ts'
import { bindHooks, type HookBinder, type HookHost } from '../../hook/hook-runner.ts'
import { loadHooks } from '../../hook/hooks-file.ts'
import { folderSandbox } from '../../tool-support/command-sandbox.ts'
import { loadNativeEntries } from '../tools/tool-registry.ts'
import { workspaceHooksFile } from '../workspace/workspace.ts'

/** Loads the hooks of these files. Reports warnings to `warn`. Throws UserError for an invalid hook. */
export async function loadHookBinder(
  paths: readonly string[],
  workspace: string,
  warn: HookHost['warn'],
): Promise<HookBinder> {
  const tools = (await loadNativeEntries()).map(({ name }) => name)
  const { hooks, diagnostics } = await loadHooks([...paths], tools)
  const broken = diagnostics.find(({ severity }) => severity === 'error')
  // an invalid hook stops the session, because the hook may exist to block calls, which would run without it
  if (broken)
    throw new UserError(`${broken.where}: ${broken.message}`, {
      hint: 'correct this entry, or remove it; `anode doctor` lists all problems of hooks',
    })
  for (const { where, message } of diagnostics) warn(`${where}: ${message}`)
  const workspaceFile = workspaceHooksFile(workspace)
  const sandbox = (path: string) => (path === workspaceFile ? folderSandbox(workspace) : undefined)
  return (host) => bindHooks(hooks, { ...host, sandbox })
}
