// The flags of commands that run agents, and functions that read their values.
import { UserError } from '../../internal/base/errors.ts'
import type { Mode } from '../../internal/policy/level.ts'
import {
  type CommandArgs,
  type CommandOption,
  numberArg,
  readToolset,
  sandboxOption,
  stringArg,
} from './verb.ts'

/**
 * Approval modes by the words that `--approval` accepts, strictest first. `yolo` is another
 * word for `unrestricted`.
 */
const approvalModes = {
  ask: 'ask',
  edits: 'edits',
  auto: 'auto',
  unrestricted: 'unrestricted',
  yolo: 'unrestricted',
} as const satisfies Record<Mode | 'yolo', Mode>

export const approvalChoices: readonly string[] = Object.keys(approvalModes)

/** Returns the approval mode for an accepted word of `--approval`. */
export function readApproval(word: string): Mode {
  return approvalModes[word as keyof typeof approvalModes]
}

/** Returns what the flags choose for an agent; undefined for each flag that is not set. */
export const readAgentChoice = (args: CommandArgs) => ({
  profile: stringArg(args, 'profile'),
  model: stringArg(args, 'model'),
  toolset: readToolset(args),
})

/**
 * The flag `--allow-model-switch`, which lets another model of a list continue if the first cannot. Without
 * it, the result comes only from the first model.
 */
export const allowModelSwitch: CommandOption = {
  type: 'boolean',
  describe: 'Let the next model of a list (--model a,b) take over when the first cannot serve',
}

/**
 * Flags of other programs, each with the flag or command of Anode for the same purpose, for the commands
 * that run agents.
 */
export const foreignRunFlags: Readonly<Record<string, string>> = {
  yes: '--approval unrestricted',
  y: '--approval unrestricted',
  yolo: '--approval unrestricted',
  'dangerously-skip-permissions': '--approval unrestricted',
  'full-auto': '--approval auto',
  'dry-run': '--approval ask, which changes nothing without an answer',
  mode: '--approval',
  'permission-mode': '--approval',
  allowedTools: '--allow-tool',
  'allowed-tools': '--allow-tool',
  'system-prompt': '--profile',
  r: '--resume',
  cwd: '-C DIR',
  cd: '-C DIR',
  dir: '-C DIR',
  theme: 'anode config set ui.theme NAME',
}

/** The flags of commands that run agents. A command may use only some of them. */
export const runOptions: Readonly<Record<string, CommandOption>> = {
  profile: { type: 'string', describe: 'Profile: prompt, tools and limits', value: 'NAME' },
  model: {
    type: 'string',
    describe: 'provider/model, several with commas, builtin/extract, script:FILE, replay:FILE',
    alias: 'm',
    value: 'MODEL',
  },
  'max-turns': { type: 'number', describe: 'Stop after this many replies of the model', value: 'N' },
  approval: {
    type: 'string',
    describe:
      'What runs without a question: only reading (ask), also edits in the workspace (edits), ' +
      'also known commands (auto), everything (unrestricted, yolo)',
    choices: approvalChoices,
  },
  sandbox: sandboxOption,
  'on-ask': {
    type: 'string',
    describe: 'When no user can answer: deny the call, or end the run',
    choices: ['deny', 'fail'],
  },
  'allow-tool': { type: 'array', describe: 'Only these tools (names or globs)', value: 'NAME' },
  'add-dir': { type: 'array', describe: 'Another directory that tools may use', value: 'DIR' },
  'budget-usd': {
    type: 'number',
    describe: 'Stop when the estimated cost reaches this many US dollars',
    value: 'USD',
  },
  'budget-tokens': { type: 'number', describe: 'Stop when this many tokens have been used', value: 'N' },
  timeout: { type: 'string', describe: 'Stop after this time, such as 90s, 20m or 1h', value: 'D' },
}

/**
 * Returns the number in a flag; undefined if the flag is missing. Throws UserError with the nearest allowed
 * value for a number below `low`, above `high`, or with a fraction if it must be `whole`.
 */
export function readNumber(
  args: CommandArgs,
  name: string,
  low: number,
  high = Number.MAX_SAFE_INTEGER,
  whole = true,
): number | undefined {
  const value = numberArg(args, name)
  if (value === undefined || (value >= low && value <= high && (!whole || Number.isInteger(value))))
    return value
  const near = Math.min(high, Math.max(low, Math.round(value)))
  const range = high === Number.MAX_SAFE_INTEGER ? `${low} on` : `${low} to ${high}`
  throw new UserError(`--${name} must be ${whole ? 'a whole number ' : ''}from ${range}, got ${value}`, {
    hint: `nearest: --${name} ${near}`,
  })
}

/**
 * Returns the positive number in a flag; undefined if the flag is missing. Throws UserError for
 * zero and below.
 */
export function positiveArg(args: CommandArgs, name: string): number | undefined {
  const value = numberArg(args, name)
  if (value === undefined || value > 0) return value
  throw new UserError(`--${name} must be more than 0`, { hint: `omit --${name} for no limit` })
}
