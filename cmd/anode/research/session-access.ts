// The access of `anode research` commands to the session, and the output of their values and errors.
import { type FailureCode, FailureError, UserError } from '../../../internal/base/errors.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import type { ProgressListener } from '../../../internal/research/progress.ts'
import {
  type ExperimentRuntime,
  withExperiments,
} from '../../../internal/service/research/experiment-runtime.ts'
import { exitCodes } from '../exit-codes.ts'
import { fitLines } from '../io/prose.ts'
import { writeText } from '../io/streams.ts'
import { type CommandArgs, type CommandIo, type CommandOption, flagArg, stringArg } from '../verb.ts'

export const sessionOptions: Readonly<Record<string, CommandOption>> = {
  session: { type: 'string', describe: 'Session by name; otherwise the active one', value: 'NAME' },
  json: { type: 'boolean', describe: 'Print one JSON object' },
}

export const seedOption: CommandOption = {
  type: 'number',
  describe: 'Seed of everything that is left to chance (default 1)',
  value: 'N',
}

const codes: Partial<Record<FailureCode, number>> = {
  no_session: exitCodes.usage,
  needs_git: exitCodes.usage,
  max_runs_reached: exitCodes.limit,
  lock_violation: exitCodes.unverified,
}

/**
 * Opens the session for `use` and returns the exit code of `use`. A FailureError is thrown again as a
 * UserError, but an interruption returns the exit code of the signal. With --json, both are also
 * printed as JSON.
 */
export async function withResearch(
  args: CommandArgs,
  io: CommandIo,
  use: (runtime: ExperimentRuntime) => Promise<number>,
  tell?: ProgressListener,
): Promise<number> {
  const { cwd, env, signal } = io
  const session = stringArg(args, 'session')
  const note = (text: string) => void io.stderr.write(`note: ${sanitizeText(text)}\n`)
  try {
    const options = { cwd, env, signal, note, session, tell }
    return await withExperiments(options, use)
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    return handleFailure(error, args, io)
  }
}

async function handleFailure({ failure }: FailureError, args: CommandArgs, io: CommandIo): Promise<number> {
  const { code, message, hint, detail } = failure
  if (flagArg(args, 'json')) {
    const error = { code, message, hint, detail }
    await writeText(io.stdout, `${JSON.stringify({ ok: false, error })}\n`)
  }
  if (code === 'interrupted' || code === 'cancelled') {
    io.stderr.write('anode: interrupted; `anode research resume` prints its state\n')
    return Number(process.exitCode ?? 130)
  }
  throw new UserError(message, { exit: codes[code] ?? exitCodes.failed, hint })
}

/**
 * Prints the value as one line of JSON with --json. Otherwise prints the lines without control characters,
 * wrapped to the terminal except lines with a command.
 */
export async function printValue(
  args: CommandArgs,
  io: CommandIo,
  value: unknown,
  lines: () => readonly string[],
): Promise<void> {
  // A line with a command is not wrapped, because users copy it.
  const broken = (line: string) => (/(^| {2,})anode /.test(line) ? line : fitLines(line, io))
  const text = flagArg(args, 'json')
    ? `${JSON.stringify(value)}\n`
    : lines()
        .map((line) => broken(`${sanitizeText(line)}\n`))
        .join('')
  await writeText(io.stdout, text)
}
