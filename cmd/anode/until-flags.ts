// The values of the flags that define a check, validated.
import { UserError } from '../../internal/base/errors.ts'
import type { GoalOrder } from '../../internal/runtime/run/stop-gate.ts'
import { parseDuration } from '../../internal/tui/duration.ts'
import { readNumber } from './flags.ts'
import { type CommandArgs, flagArg, listArg, stringArg } from './verb.ts'

const defaultAttempts = 5
const defaultTimeout = '10m'

/**
 * Returns the check that the flags define; undefined without `--until`. Throws UserError for an empty
 * command, for invalid values, for flags that contradict each other, and for related flags without `--until`.
 */
export function readUntil(args: CommandArgs): GoalOrder | undefined {
  const commands = readUntilCommands(args)
  const names = ['attempts', 'until-timeout', 'until-seal', 'until-allow', 'until-needs', 'until-red']
  const alone = [...names, 'first-check'].find((name) => isSet(args, name))
  if (commands.length === 0) {
    if (alone === undefined) return undefined
    throw new UserError(`--${alone === 'first-check' ? 'no-first-check' : alone} needs --until`, {
      hint: 'add --until "npm test"',
    })
  }
  const skips = args['first-check'] === false
  if (skips && flagArg(args, 'until-red'))
    throw new UserError('--until-red and --no-first-check exclude each other', { hint: 'give one of them' })
  return {
    commands,
    attempts: readNumber(args, 'attempts', 1) ?? defaultAttempts,
    timeout_ms: parseDuration(stringArg(args, 'until-timeout') ?? defaultTimeout),
    seal: listArg(args, 'until-seal'),
    allow: listArg(args, 'until-allow'),
    network: listArg(args, 'until-needs').map(hostOf),
    firstCheck: skips ? 'skip' : flagArg(args, 'until-red') ? 'must-fail' : 'run',
  }
}

/**
 * Returns the commands in the flag `--until`; an empty list without the flag. Throws UserError for
 * an empty command.
 */
export function readUntilCommands(args: CommandArgs): string[] {
  const commands = listArg(args, 'until')
  if (commands.every((command) => command.trim() !== '')) return commands
  throw new UserError('a command of --until is empty', { hint: 'for example: --until "npm test"' })
}

const isSet = (args: CommandArgs, name: string) =>
  args[name] !== undefined && (!Array.isArray(args[name]) || args[name].length > 0)

function hostOf(need: string): string {
  const host = /^network:(\S+)$/.exec(need)?.[1]
  if (host !== undefined) return host
  throw new UserError(`--until-needs ${need} is not an access`, {
    hint: 'name a host: --until-needs network:registry.npmjs.org',
  })
}
