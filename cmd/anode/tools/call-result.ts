// How the result of a direct call is printed, and what exit code it means.
import type { FailureCode } from '../../../internal/base/errors.ts'
import type { CallResult } from '../../../internal/tool/invoke.ts'
import { exitCodes } from '../exit-codes.ts'
import type { CommandOutput } from '../io/command-output.ts'
import type { CommandIo } from '../verb.ts'

/** The one JSON object of `--output json` and of `batch`. */
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
 * Results go to standard output, also those of a command that failed with output; a failure that has nothing
 * but its message goes to standard error. There, and on a terminal, foreign control characters are taken out.
 */
export async function printResult(
  result: CallResult,
  json: boolean,
  io: CommandIo,
  write: (stream: CommandOutput, text: string) => Promise<void>,
): Promise<void> {
  if (json) return write(io.stdout, `${JSON.stringify(resultJson(result))}\n`)
  const stream = result.failed && result.data === null ? io.stderr : io.stdout
  // a failure repeats what was typed, which is no result
  const text = stream.isTTY || stream === io.stderr ? await tame(result.text) : result.text
  await write(stream, text === '' || text.endsWith('\n') ? text : `${text}\n`)
}

async function tame(text: string): Promise<string> {
  const { sanitizeText } = await import('../../../internal/render/text/terminal-filter.ts')
  return sanitizeText(text, { keepLines: true })
}

/** What was leased for the reader is acknowledged once it has been printed. */
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
  // whatever the reason to ask was, nobody has approved it
  if (failed.detail?.action === 'ask') return exitCodes.denied
  return byCode[failed.code] ?? exitCodes.failed
}
