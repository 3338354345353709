// What all commands of `anode research` share: the session they mean, how refusals leave the program.
import { type FailureCode, FailureError, UserError } from '../../../internal/base/errors.ts'
import type { Laboratory } from '../../../internal/host/research/laboratory.ts'
import { clean } from '../../../internal/render/clean.ts'
import type { Tell } from '../../../internal/research/progress.ts'
import { exit } from '../exit.ts'
import { write } from '../io.ts'
import { type Args, flag, type Io, num, type Option, str } from '../verb.ts'

export const sessionOptions: Readonly<Record<string, Option>> = {
  session: { type: 'string', describe: 'Session by name; otherwise the active one', value: 'NAME' },
  json: { type: 'boolean', describe: 'Print one JSON object' },
}

export const seedOption: Option = {
  type: 'number',
  describe: 'Seed of everything that is left to chance (default 1)',
  value: 'N',
}

const codes: Partial<Record<FailureCode, number>> = {
  no_session: exit.usage,
  needs_git: exit.usage,
  max_runs_reached: exit.limit,
  lock_violation: exit.unverified,
}

/** Opens the session for the length of `use`. A refusal is printed, as JSON too when that was asked for. */
export async function withSession(
  args: Args,
  io: Io,
  use: (laboratory: Laboratory) => Promise<number>,
  tell?: Tell,
): Promise<number> {
  const { withExperiments } = await import('../../../internal/host/research/laboratory.ts')
  const { cwd, env, signal } = io
  const session = str(args, 'session')
  const note = (text: string) => void io.stderr.write(`note: ${clean(text)}\n`)
  try {
    const options = {
      cwd,
      env,
      signal,
      note,
      ...(session !== undefined && { session }),
      ...(tell && { tell }),
    }
    return await withExperiments(options, use)
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    return refuse(error, args, io)
  }
}

async function refuse({ failure }: FailureError, args: Args, io: Io): Promise<number> {
  const { code, message, hint, detail } = failure
  if (flag(args, 'json')) {
    const error = {
      code,
      message,
      ...(hint !== undefined && { hint }),
      ...(detail !== undefined && { detail }),
    }
    await write(io.stdout, `${JSON.stringify({ ok: false, error })}\n`)
  }
  if (code === 'interrupted' || code === 'cancelled') {
    io.stderr.write('anode: interrupted; `anode research resume` tells where it stands\n')
    return Number(process.exitCode ?? 130)
  }
  throw new UserError(message, { exit: codes[code] ?? exit.failed, ...(hint !== undefined && { hint }) })
}

/** Prints a value as JSON, or its lines as text. */
export async function say(args: Args, io: Io, value: unknown, lines: () => readonly string[]): Promise<void> {
  const text = flag(args, 'json')
    ? `${JSON.stringify(value)}\n`
    : lines()
        .map((line) => `${clean(line)}\n`)
        .join('')
  await write(io.stdout, text)
}

/** A whole number of at least `least`. Throws UserError (exit 2) for anything else. */
export function whole(args: Args, name: string, least: number): number | undefined {
  const value = num(args, name)
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return value
  throw new UserError(`--${name} must be a whole number from ${least} on, got ${value}`, { exit: exit.usage })
}

/** `{ [key]: value }`, or nothing for undefined. */
export function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V }
}
