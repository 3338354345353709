// The run of a program of a user or workspace for one call, with its time limit and sandbox.
import { FailureError } from '../base/errors.ts'
import type { CommandOutcome, ProcessCommand } from '../process/process-command.ts'
import type { Ctx } from '../tool/ctx.ts'
import { failedResult, type ToolResult } from '../tool/result.ts'
import { folderSandbox } from '../tool-support/command-sandbox.ts'

/** Data of a program's result. */
export interface ProgramOutput {
  exit: number | null
  signal: string | null
  stdout: string
  stderr: string
  ms: number
}

interface ProgramRun {
  /** Name of the tool. */
  name: string
  command: Pick<ProcessCommand, 'file' | 'args' | 'extraEnv' | 'input'>
  /** Time limit of a call in seconds. */
  seconds: number
  isWorkspaces: boolean
}

/** Returns true if the session can start programs, otherwise the reason why not. */
export const canStartPrograms = (ctx: Pick<Ctx, 'can'>): true | string =>
  ctx.can.processes.run ? true : 'programs cannot be started in this session'

/**
 * Runs the program of a call. Its standard output becomes the text of the result. An exit code other than 0,
 * a signal, the time limit and a cancellation give a failed result. Throws FailureError `unavailable` if the
 * session cannot start programs.
 */
export async function runProgram(
  { name, command, seconds, isWorkspaces }: ProgramRun,
  ctx: Ctx,
): Promise<ToolResult<ProgramOutput>> {
  const usable = canStartPrograms(ctx)
  if (!ctx.can.processes.run) throw new FailureError({ code: 'unavailable', message: String(usable) })
  const outcome = await ctx.can.processes.run({
    ...command,
    cwd: ctx.cwd,
    timeoutMs: seconds * 1000,
    signal: ctx.signal,
    // A user's own programs run with the user's permissions; only those of a workspace get a sandbox.
    sandbox: isWorkspaces ? folderSandbox(ctx.policy.roots.workspace, ctx.policy) : undefined,
  })
  const { exit, signal, ended: endReason, ms } = outcome
  const data: ProgramOutput = { exit, signal, stdout: outcome.stdout.text, stderr: outcome.stderr.text, ms }
  if (endReason === 'cancelled')
    return withOutput(failedResult('cancelled', `${name} was cancelled`, { data }), data, outcome)
  if (endReason === 'timeout') {
    return withOutput(
      failedResult('timeout', `${name} was ended after ${seconds} s`, { data }),
      data,
      outcome,
    )
  }
  if (exit !== 0) {
    const how = exit === null ? `was ended by ${signal}` : `ended with exit code ${exit}`
    return withOutput(failedResult('command_failed', `${name} ${how}`, { data }), data, outcome)
  }
  return { text: data.stdout.trimEnd() || `${name} printed nothing`, data }
}

/** Adds the output and the errors of the program below the failure, since either may contain the reason. */
function withOutput(
  result: ToolResult,
  data: ProgramOutput,
  { combined }: CommandOutcome,
): ToolResult<ProgramOutput> {
  const output = combined.text.trimEnd()
  return { ...result, data, text: output === '' ? result.text : `${result.text}\n${output}` }
}
