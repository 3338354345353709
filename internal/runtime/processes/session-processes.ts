// What starts the processes of a session, with walls for those that ask for one.
import { once } from '../../base/once.ts'
import type { CommandHost, ProcessSandbox } from '../../process/process-command.ts'
import { createRunner } from '../../process/process-runner.ts'
import type { SandboxMode } from '../../sandbox/sandbox.ts'
import type { WorkspaceContext } from '../workspace/workspace.ts'
import type { BackgroundWatch } from './background-watch.ts'

interface ProcessOptions {
  sandbox?: SandboxMode
  /** Takes commands without a sandbox. */
  commandHost?: CommandHost
}

export function openProcesses(
  {
    data,
    env,
    loaded,
    background,
  }: WorkspaceContext & { background?: { watch: BackgroundWatch | undefined } },
  { sandbox: mode = loaded.config.sandbox ?? 'auto', commandHost: host }: ProcessOptions = {},
  closers: (() => void | Promise<void>)[],
) {
  const keep = loaded.config.shell?.env ?? []
  const sandbox: ProcessSandbox = async (plan, start) => {
    const { kind, lasts, folders } = start.wall
    if (lasts && kind === 'workspace') await (await watchOf(background))?.begin(folders)
    return (await walls()).enter(plan, start)
  }
  const runner = createRunner({ dataDir: data, env, keep, sandbox })
  closers.push(() => runner.close())
  const { run, spawn, terminal } = runner
  const walls = once(async () => {
    const { openSessionSandbox } = await import('./session-sandbox.ts')
    const { read, searchLimit } = loaded.config.shell ?? {}
    return openSessionSandbox(mode, { data, env, run, read, searchLimit }, { runner, host })
  })
  const terminals = async () =>
    (await import('../../pty/terminal-sessions.ts')).createTerminalSessions(terminal)
  return { run, spawn, walls, terminals }
}

async function watchOf(background: { watch: BackgroundWatch | undefined } | undefined) {
  if (!background) return undefined
  const { BackgroundWatch: Watch } = await import('./background-watch.ts')
  background.watch ??= new Watch()
  return background.watch
}
