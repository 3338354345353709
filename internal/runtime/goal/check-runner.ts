// Runner of the commands of a check, which decide whether a task is done. They run in the sandbox of `bash`,
// in the workspace or in a separate checkout.

import { withFreshBytecode } from '../../process/fresh-bytecode.ts'
import type { CheckOutcome, RunCheck } from '../../proof/prove.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { runShellCommand } from '../../tool-support/shell-command.ts'

interface CheckRunnerOptions {
  ctx: Ctx
  /** Limit of one command in milliseconds. */
  timeoutMs: number
  /** Hosts that the commands may reach. */
  network?: readonly string[]
  note(text: string): void
  /** Called before each command; `isCheckout` if it runs in a checkout and not in the workspace. */
  begin?(command: string, isCheckout: boolean): Promise<void>
  /** Receives the complete output of each command. */
  keep?(output: string): void
}

interface CheckRunner {
  check: RunCheck
  /**
   * Returns the sandbox of all commands so far. `none`: at least one ran with the rights of the user. Before
   * the first command, returns the sandbox of this platform.
   */
  sandbox(): 'bubblewrap' | 'seatbelt' | 'none'
}

/**
 * Largest number of lines of a command's output in the result of the check; `maxChars` limits the characters.
 * Of a longer output, the beginning is left out.
 */
const maxLines = 60
const maxChars = 4096

export function createCheckRunner(options: CheckRunnerOptions): CheckRunner {
  let isSandboxed = true
  return {
    async check(command, dir, linked) {
      await options.begin?.(command, dir !== options.ctx.cwd)
      const result = await runCheck(command, contextIn(options.ctx, dir, linked), options)
      isSandboxed &&= result.isSandboxed
      for (const text of result.notes) options.note(text)
      options.keep?.(result.output)
      return result.outcome
    },
    sandbox: () => (!isSandboxed ? 'none' : process.platform === 'darwin' ? 'seatbelt' : 'bubblewrap'),
  }
}

/**
 * Returns the context for a command in `dir`, which is then its workspace and can use the directories
 * in `linked` too.
 */
function contextIn(ctx: Ctx, dir: string, linked: readonly string[]): Ctx {
  if (dir === ctx.cwd) return ctx
  const { roots } = ctx.policy
  const moved = { ...roots, workspace: dir, added: [...roots.added, ...linked] }
  return { ...ctx, cwd: dir, policy: { ...ctx.policy, roots: moved } }
}

async function runCheck(command: string, ctx: Ctx, { timeoutMs, network = [] }: CheckRunnerOptions) {
  const needs = network.length > 0 ? { network: [...network] } : undefined
  const order = { command: withFreshBytecode(command), dir: ctx.cwd, timeoutMs, apart: true, needs }
  const { outcome, output, sandbox } = await runShellCommand(order, ctx)
  const { exit, ms, ended: endReason } = outcome
  const refused = outcome.sandbox?.refused ?? []
  const result: CheckOutcome = {
    // A command that the runner stopped, such as at the time limit, has not passed, so it has no exit code.
    exit: endReason === undefined ? exit : null,
    ms: Math.round(ms),
    output: output.trimEnd().split('\n').slice(-maxLines).join('\n').slice(-maxChars),
    ended: endReason,
    refused: refused.length > 0 ? refused : undefined,
  }
  const isSandboxed = outcome.sandbox !== undefined
  return { isSandboxed, notes: isSandboxed ? [] : sandbox, output, outcome: result }
}
