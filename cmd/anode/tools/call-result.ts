// The output of a direct call's result, and the exit code.
import type { FailureCode } from '../../../internal/base/errors.ts'
import type { CallResult } from '../../../internal/tool/invoke.ts'
import { exitCodes } from '../exit-codes.ts'
import type { CommandOutput } from '../io/command-output.ts'
import type { CommandIo } from '../verb.ts'

/** Returns a result as the JSON object that `--output json` and `batch` print. */
export function resultJson(result: CallResult): Record<string, unknown> {
  return {
    ok: result.failed === undefined,
    tool: result.tool,
    text: result.text,
    data: result.data,
    error: result.failed,
    truncated: result.truncated,
    duration_ms: result.ms,
  }
}

/**
 * Prints a result on standard output, also for a failed command that has output. A failure with only a
 * message goes to standard error. Control characters are removed on standard error and on terminals.
 */
export async function printResult(
  result: CallResult,
  json: boolean,
  io: CommandIo,
  write: (stream: CommandOutput, text: string) => Promise<void>,
): Promise<void> {
  if (json) return write(io.stdout, `${JSON.stringify(resultJson(result))}\n`)
  const stream = result.failed && result.data === null ? io.stderr : io.stdout
  // A failure repeats text that the user typed, so control characters are removed.
  const text = stream.isTTY || stream === io.stderr ? await tame(result.text) : result.text
  await write(stream, text === '' || text.endsWith('\n') ? text : `${text}\n`)
}

async function tame(text: string): Promise<string> {
  const { sanitizeText } = await import('../../../internal/render/text/terminal-filter.ts')
  return sanitizeText(text, { keepLines: true })
}

/** Acknowledges the messages that this result has delivered. Called after the result was printed. */
export async function acknowledgeResult(result: CallResult): Promise<void> {
  await result.settle?.()
}

const byCode: Partial<Record<FailureCode, number>> = {
  unknown_tool: exitCodes.usage,
  bad_args: exitCodes.usage,
  one_of_data_series: exitCodes.usage,
  unavailable: exitCodes.usage,
  denied: exitCodes.denied,
  sensitive_path: exitCodes.denied,
  no_user_available: exitCodes.denied,
  timeout: exitCodes.limit,
  limit_reached: exitCodes.limit,
  cancelled: 130,
}

export function exitOf({ failed }: CallResult): number {
  if (!failed) return exitCodes.done
  // The call needed approval and no user approved it, so it counts as denied.
  if (failed.detail?.action === 'ask') return exitCodes.denied
  return byCode[failed.code] ?? exitCodes.failed
}
