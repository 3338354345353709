// The definition of a command: data for the parser, the help text, completion and the manual.
import type { SandboxMode } from '../../internal/sandbox/sandbox.ts'
import type { CommandOutput } from './io/command-output.ts'

export interface CommandOption {
  type: 'string' | 'boolean' | 'number' | 'array'
  describe: string
  alias?: string
  choices?: readonly string[]
  default?: string | number | boolean
  /** Whether the string option may have no value, which is then an empty string. */
  bare?: boolean
  /** Placeholder for the value in the help, for example `DIR`. */
  value?: string
}

export interface CommandPositional {
  name: string
  describe: string
  required?: boolean
  /** The only allowed values. */
  choices?: readonly string[]
  /** Whether the argument takes all remaining words. */
  many?: boolean
}

/**
 * Parsed arguments. Options are stored by their long name, in camelCase and as written; positionals by name.
 * `--` has the words after two dashes, which are also among the positionals.
 */
export interface CommandArgs {
  readonly [name: string]: string | number | boolean | string[] | undefined
}

/** The streams and environment of a command. Tests pass their own. */
export interface CommandIo {
  readonly stdin: NodeJS.ReadStream
  /** Whether standard input is a pipe, a file or a socket, which is read to its end. */
  readonly piped: boolean
  readonly stdout: CommandOutput
  readonly stderr: CommandOutput
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly signal: AbortSignal
}

export interface Verb {
  name: string
  summary: string
  /** The usage after `anode`, for example `tools use NAME [flags]`. */
  usage: string
  positionals?: readonly CommandPositional[]
  options: Readonly<Record<string, CommandOption>>
  /** Flags of other programs, with the flag that has the same effect here. */
  foreignFlags?: Readonly<Record<string, string>>
  /** Whether unknown flags are passed to `run` as NAME=VALUE under `extra` instead of being rejected. */
  takesExtra?: boolean
  /** Command lines with descriptions; at least one. */
  examples: readonly (readonly [string, string])[]
  /** Runs the command. Resolves to the exit code; see manual/exit-codes.md. */
  run(args: CommandArgs, io: CommandIo): Promise<number>
}

export type LoadVerb = () => Promise<Verb>

/** A group of verbs, such as `anode tools list`. */
export interface VerbGroup {
  name: string
  summary: string
  verbs: Readonly<Record<string, LoadVerb>>
  /** The verb for words that match no verb of the group: `anode study "question"`. */
  otherwise?: LoadVerb
  /** Whether `otherwise` also runs without any word. Default: the help of the group is printed. */
  runsAlone?: boolean
}

export type VerbOrGroup = Verb | VerbGroup

export function isGroup(command: VerbOrGroup): command is VerbGroup {
  return 'verbs' in command
}

/** Options of every command. */
export const commonOptions: Readonly<Record<string, CommandOption>> = {
  C: { type: 'string', describe: 'Work in this directory instead of the current one', value: 'DIR' },
  color: { type: 'string', describe: 'Color on standard output', choices: ['auto', 'always', 'never'] },
  help: { type: 'boolean', describe: 'Show help', alias: 'h' },
}

export const stringArg = (args: CommandArgs, name: string): string | undefined => {
  const value = args[name]
  return value === undefined ? undefined : String(value)
}
export const flagArg = (args: CommandArgs, name: string): boolean => args[name] === true
export const listArg = (args: CommandArgs, name: string): string[] => {
  const value = args[name]
  return Array.isArray(value) ? value : value === undefined ? [] : [String(value)]
}
export const numberArg = (args: CommandArgs, name: string): number | undefined => {
  const value = args[name]
  return typeof value === 'number' ? value : undefined
}

/** The sandbox flag, for all commands that run tools. */
export const sandboxOption: CommandOption = {
  type: 'string',
  describe: 'Sandbox for commands: if available, required, or off',
  choices: ['auto', 'require', 'off'],
}

/** Returns the sandbox mode of the flag, or an empty object without the flag. */
export function readSandbox(args: CommandArgs): { sandbox?: SandboxMode } {
  const mode = stringArg(args, 'sandbox')
  return mode === undefined ? {} : { sandbox: mode as SandboxMode }
}
