// Start of one command in a worktree of a build, in the sandbox for commands.
import type { EnvironmentVariables } from '../../base/environment.ts'
import { UserError } from '../../base/errors.ts'
import type { ChildOwner } from '../../process/child-owner.ts'
import type { SandboxMode } from '../../sandbox/sandbox.ts'
import type { SandboxMemory } from '../../sandbox/sandbox-memory.ts'
import { runShellCommand } from '../../tool-support/shell-command.ts'
import { openCommandCalls } from '../calls/direct-call.ts'

interface WorktreeCommand {
  command: string
  /** Path of the worktree in which the command runs. */
  cwd: string
  env: EnvironmentVariables
  sandbox: SandboxMode
  sandboxMemory: SandboxMemory
  childOwner: ChildOwner
  signal: AbortSignal
  timeoutMs: number
}

interface WorktreeCommandEnd {
  exit: number | null
  ms: number
  /** The last lines of the output, followed by the accesses that the sandbox refused. */
  output: string
  ended: 'timeout' | 'cancelled' | undefined
}

const maxLines = 60
const maxChars = 4096

/**
 * Returns the last 60 lines of an output, at most 4096 characters, for the journal and for the next attempt.
 */
const lastLines = (text: string): string =>
  text.trimEnd().split('\n').slice(-maxLines).join('\n').slice(-maxChars)

/**
 * Runs the command. In a sandbox, it can write only the worktree and its TMPDIR, and it has no network.
 * Throws UserError if a sandbox is required and this machine has none.
 */
export async function runWorktreeCommand(order: WorktreeCommand): Promise<WorktreeCommandEnd> {
  const { command, cwd, env, sandbox, sandboxMemory, childOwner, signal, timeoutMs } = order
  const session = await openCommandCalls({ cwd, env, signal, sandbox, sandboxMemory, childOwner })
  try {
    const shell = { command, dir: session.ctx.cwd, timeoutMs, apart: true }
    const { outcome, output } = await runShellCommand(shell, session.ctx)
    if (sandbox === 'require' && outcome.sandbox === undefined)
      throw new UserError('commands of a build need a sandbox, and this machine has none', {
        hint: '`anode doctor` shows the reason; --sandbox off runs them with your rights',
      })
    const refused = (outcome.sandbox?.refused ?? []).map((text) => `sandbox: ${text}`)
    return {
      exit: outcome.ended === undefined ? outcome.exit : null,
      ms: Math.round(outcome.ms),
      output: lastLines([output.trimEnd(), ...refused].join('\n')),
      ended: outcome.ended,
    }
  } finally {
    await session.close()
  }
}
