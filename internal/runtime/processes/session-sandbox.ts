// Sandbox of one session, chosen by flag, configuration and the abilities of the machine.
import type { EnvironmentVariables } from '../../base/environment.ts'
import { once } from '../../base/once.ts'
import type { ChildOwner } from '../../process/child-owner.ts'
import type {
  CommandHost,
  ProcessSandbox,
  RunCommand,
  SandboxReport,
  SandboxRequest,
} from '../../process/process-command.ts'
import type { ProcessRunner } from '../../process/run-command.ts'
import type { SandboxMode } from '../../sandbox/sandbox.ts'
import type { SandboxMemory } from '../../sandbox/sandbox-memory.ts'
import {
  describeFix,
  findSandboxSupport,
  readNamespaceLimits,
  type SandboxMachine,
  type SandboxSupport,
} from '../../sandbox/sandbox-support.ts'
import type { SandboxState } from '../../tool/sandbox-state.ts'
import type { WorkspaceContext } from '../workspace/workspace.ts'

export interface SessionSandbox {
  /** True if commands that request a sandbox get one. */
  active: boolean
  enter: ProcessSandbox
  /**
   * Returns once why the sandbox is missing on this machine. Undefined if there is a sandbox or the user
   * turned it off, and on further calls.
   */
  notice(): string | undefined
  searchesAll(folders: readonly string[], closed?: SandboxRequest['closed']): Promise<boolean>
  record?(sandbox: SandboxRequest): Promise<() => SandboxReport['changes']>
  runHosted?: NonNullable<SandboxState['runHosted']>
}

interface SandboxHost {
  data: string
  env: EnvironmentVariables
  /** Additional paths that commands may read, from the configuration. */
  read?: readonly string[] | undefined
  searchLimit?: number | undefined
  memory?: SandboxMemory | undefined
  /** Starts programs without a sandbox. */
  run: RunCommand
}

interface HostedCommands {
  runner(): Promise<ProcessRunner>
  /** Program that runs the commands, such as an editor; undefined if no other program runs them. */
  host: CommandHost | undefined
}

export interface ProcessOptions {
  /** Whether commands run in a sandbox. Default: the value of the configuration. */
  sandbox?: SandboxMode
  /** Program, such as an editor, that runs the commands if no sandbox is active. Default: Anode runs them. */
  commandHost?: CommandHost
  /** Caches of sandboxes, shared with other sessions. Default: caches of this session only. */
  sandboxMemory?: SandboxMemory
  /** Owner that child processes of several sessions share. Default: an owner for this session only. */
  childOwner?: ChildOwner
}

/** Opens the sandbox. Calls `runner` only to start a program. */
export function openWorkspaceSandbox(
  { data, env, loaded }: Pick<WorkspaceContext, 'data' | 'env' | 'loaded'>,
  {
    sandbox: mode = loaded.config.sandbox ?? 'auto',
    commandHost: host,
    sandboxMemory: memory,
  }: ProcessOptions,
  runner: () => Promise<ProcessRunner>,
): Promise<SessionSandbox> {
  const { read, searchLimit } = loaded.config.shell ?? {}
  const run: RunCommand = async (command) => (await runner()).run(command)
  return openSessionSandbox(mode, { data, env, run, read, searchLimit, memory }, { runner, host })
}

export async function openSessionSandbox(
  mode: SandboxMode,
  machine: SandboxHost,
  hosted?: HostedCommands,
): Promise<SessionSandbox> {
  const opened = await openSandbox(mode, machine)
  const { host, runner } = hosted ?? {}
  // a command host such as an editor cannot build a sandbox, so it runs commands only where no
  // sandbox is active
  if (!host || !runner || opened.active) return opened
  const runHosted: SandboxState['runHosted'] = async (call, command) => {
    const { runHostedCommand } = await import('../../process/hosted-command.ts')
    const { perform } = await runner()
    return perform((context, closing) => runHostedCommand(context, command, { host, call }, closing))
  }
  return { ...opened, runHosted }
}

/**
 * Opens the sandbox. Its code loads with the first command, because a run that only mentions the sandbox in
 * its prompt needs no code.
 */
async function openSandbox(mode: SandboxMode, host: SandboxHost): Promise<SessionSandbox> {
  const record = changeRecorder(host)
  const always = { active: false, notice: () => undefined, searchesAll: async () => true }
  if (mode === 'off') return { ...always, enter: async () => undefined, record }
  const support = await findSandboxSupport(host.data, sandboxMachine(host))
  const { env, read, searchLimit, run, memory } = host
  const sandbox = once(async () => {
    const { createSandbox } = await import('../../sandbox/sandbox.ts')
    return createSandbox({ mode, support, env, read, searchLimit, run, memory })
  })
  let isNoticed = false
  return {
    active: support.kind !== 'none',
    record: support.kind === 'none' ? record : undefined,
    enter: async (plan, start) => (await sandbox())(plan, start),
    searchesAll: async (folders, closed) => (await sandbox()).searchesAll(folders, closed),
    notice() {
      if (isNoticed || support.kind !== 'none') return undefined
      isNoticed = true
      return `commands run without a sandbox: ${support.detail}; \`anode doctor\` shows how to fix it`
    },
  }
}

/**
 * Returns a function to call before a command that runs without a sandbox. The function that it returns lists
 * the changes after the command.
 */
function changeRecorder({ data, run }: SandboxHost) {
  const opened = once(async () => {
    const { WorkspaceStarts } = await import('../../sandbox/workspace-starts.ts')
    return new WorkspaceStarts(run)
  })
  return async (sandbox: SandboxRequest) => {
    const findChanges = (await opened()).record(sandbox, [data])
    return () => findChanges().changes
  }
}

/** Returns the functions that detect the sandbox support of this machine. */
function sandboxMachine({ env }: SandboxHost): SandboxMachine {
  return {
    platform: process.platform,
    path: env.PATH ?? '',
    async probe(file, args) {
      const { probeProgram } = await import('../../process/probe-program.ts')
      return probeProgram(file, args, 5000)
    },
  }
}

/**
 * Checks the sandbox support of this machine again. If support is missing, the result says how the
 * user can add it.
 */
export async function examineSandbox(
  host: SandboxHost,
): Promise<{ support: SandboxSupport; fix: string | undefined }> {
  const support = await findSandboxSupport(host.data, sandboxMachine(host), true)
  return { support, fix: describeFix(support, readNamespaceLimits()) }
}
