// A direct call of a tool: the session options that its flags set, its printed result, and the exit code.

import type { FailureCode } from '../../../internal/base/errors.ts'
import type { DirectCallOptions } from '../../../internal/service/calls/direct-call.ts'
import type { CallResult } from '../../../internal/tool/invoke.ts'
import { exitCodes } from '../exit-codes.ts'
import type { CommandOutput } from '../io/command-output.ts'
import {
  type CommandArgs,
  type CommandIo,
  type CommandOption,
  flagArg,
  listArg,
  readSandbox,
  readToolset,
  sandboxOption,
  stringArg,
  toolsetOptions,
} from '../verb.ts'

export const directOptions: Readonly<Record<string, CommandOption>> = {
  profile: { type: 'string', describe: 'Only what this profile may call', value: 'NAME' },
  ...toolsetOptions,
  'allow-non-read': {
    type: 'boolean',
    describe: 'Also run tools that write, execute or ask; typing it is the approval',
  },
  record: { type: 'boolean', describe: 'Record the call in a thread even if it changes nothing' },
  'add-dir': { type: 'array', describe: 'Another directory that tools may use', value: 'DIR' },
  sandbox: sandboxOption,
  answers: { type: 'string', describe: 'JSON file with answers for ask_user', value: 'FILE' },
}

/**
 * Returns the options for a direct call of a tool. `name` is the name of the tool, which
 * may be `TOOLSET/NAME`.
 */
export function readDirectCall(args: CommandArgs, io: CommandIo, name?: string): DirectCallOptions {
  const toolset = readToolset(args, name)
  const allowed = flagArg(args, 'allow-non-read')
  const profile = stringArg(args, 'profile')
  const answers = stringArg(args, 'answers')
  return {
    cwd: io.cwd,
    env: io.env,
    signal: io.signal,
    profile,
    toolset,
    mode: allowed ? 'unrestricted' : 'ask',
    isTyped: true,
    approval: allowed ? 'flag' : 'none',
    onlyReads: !allowed,
    addDirs: listArg(args, 'add-dir'),
    ...readSandbox(args),
    record: flagArg(args, 'record') ? 'always' : 'changes',
    answers,
    terminal:
      allowed && io.stdin.isTTY === true && io.stderr.isTTY
        ? { stdin: io.stdin, stderr: io.stderr.stream }
        : undefined,
  }
}

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
 * Prints a result on standard output: with `json` as a JSON object, otherwise its text, also for a failed
 * command that has output. Without `json`, a failure with only a message is printed on standard error.
 * Control characters of a text are removed on standard error and on terminals.
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
  const text = stream.isTTY || stream === io.stderr ? await filterText(result.text) : result.text
  await write(stream, text === '' || text.endsWith('\n') ? text : `${text}\n`)
}

async function filterText(text: string): Promise<string> {
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
