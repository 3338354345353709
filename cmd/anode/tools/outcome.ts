// How the result of a direct call is printed, and what exit code it means.
import type { FailureCode } from '../../../internal/base/errors.ts'
import type { Invoked } from '../../../internal/tool/invoke.ts'
import { exit } from '../exit.ts'
import type { Out } from '../out.ts'
import type { Io } from '../verb.ts'

/** The one JSON object of `--output json` and of `batch`. */
export function asJson(result: Invoked): Record<string, unknown> {
  return {
    ok: result.failed === undefined,
    tool: result.tool,
    text: result.text,
    data: result.data,
    ...(result.failed && { error: result.failed }),
    ...(result.truncated && { truncated: result.truncated }),
    duration_ms: result.ms,
  }
}

/**
 * Results go to standard output, also those of a command that failed with output; a failure that has nothing
 * but its message goes to standard error. On a terminal foreign control characters are taken out.
 */
export async function present(
  result: Invoked,
  json: boolean,
  io: Io,
  write: (stream: Out, text: string) => Promise<void>,
): Promise<void> {
  if (json) return write(io.stdout, `${JSON.stringify(asJson(result))}\n`)
  const stream = result.failed && result.data === null ? io.stderr : io.stdout
  const text = stream.isTTY ? await tame(result.text) : result.text
  await write(stream, text === '' || text.endsWith('\n') ? text : `${text}\n`)
}

async function tame(text: string): Promise<string> {
  const { clean } = await import('../../../internal/render/clean.ts')
  return clean(text, { keepLines: true })
}

/** What was leased for the reader is acknowledged once it has been printed. */
export async function settle(result: Invoked): Promise<void> {
  await result.settle?.()
}

const byCode: Partial<Record<FailureCode, number>> = {
  unknown_tool: exit.usage,
  bad_args: exit.usage,
  unavailable: exit.usage,
  denied: exit.denied,
  sensitive_path: exit.denied,
  no_user_available: exit.denied,
  timeout: exit.limit,
  limit_reached: exit.limit,
  cancelled: 130,
}

export function exitOf(result: Invoked): number {
  return result.failed ? (byCode[result.failed.code] ?? exit.failed) : exit.done
}
