// Process runner of a session, with sandboxes for the commands that request one.
import { once } from '../../base/once.ts'
import type { ProcessSandbox } from '../../process/process-command.ts'
import { createRunner } from '../../process/run-command.ts'
import { createTerminalSessions } from '../../pty/terminal-sessions.ts'
import type { WorkspaceContext } from '../workspace/workspace.ts'
import type { BackgroundWatch } from './background-watch.ts'
import { BackgroundWatch as Watch } from './background-watch.ts'
import { openWorkspaceSandbox, type ProcessOptions, type SessionSandbox } from './session-sandbox.ts'

export function openProcesses(
  {
    data,
    env,
    loaded,
    background,
    sandboxes: opened,
  }: WorkspaceContext & {
    background?: { watch: BackgroundWatch | undefined; hurry?: () => void }
    /** Returns the session's sandbox, which the first call opens. Default: this function opens a sandbox. */
    sandboxes?: () => Promise<SessionSandbox>
  },
  options: ProcessOptions = {},
  closers: (() => void | Promise<void>)[],
) {
  const keep = loaded.config.shell?.env ?? []
  const sandbox: ProcessSandbox = async (plan, start) => {
    const { kind, lasts, folders } = start.sandbox
    if (lasts && kind === 'workspace') await (await watchOf(background))?.begin(folders)
    return (await sandboxes()).enter(plan, start)
  }
  const runner = createRunner({ dataDir: data, env, keep, sandbox, owner: options.childOwner })
  const sandboxes =
    opened ?? once(() => openWorkspaceSandbox({ data, env, loaded }, options, async () => runner))
  closers.push(() => runner.close())
  if (background) background.hurry = runner.hurry
  const { run, spawn, terminal } = runner
  const terminals = async () => createTerminalSessions(terminal)
  return { runner, run, spawn, terminals }
}

async function watchOf(background: { watch: BackgroundWatch | undefined } | undefined) {
  if (!background) return undefined
  background.watch ??= new Watch()
  return background.watch
}
