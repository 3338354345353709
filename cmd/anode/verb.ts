// What a command is: data that the parser, the help text, completion and the manual are all made from.
import type { SandboxMode } from '../../internal/sandbox/sandbox.ts'
import type { CommandOutput } from './io/command-output.ts'

export interface CommandOption {
  type: 'string' | 'boolean' | 'number' | 'array'
  describe: string
  alias?: string
  choices?: readonly string[]
  default?: string | number | boolean
  /** A string that may also stand without a value, as an empty one. */
  bare?: boolean
  /** Shown in help for the value, for example `DIR`. */
  value?: string
}

export interface CommandPositional {
  name: string
  describe: string
  required?: boolean
  /** The only words it takes. */
  choices?: readonly string[]
  /** Takes all remaining words. */
  many?: boolean
}

/**
 * Parsed arguments: options by their long name in camelCase and as written, positionals by name; under `--`
 * the words that stood behind two dashes, which are among the positionals too.
 */
export interface CommandArgs {
  readonly [name: string]: string | number | boolean | string[] | undefined
}

/** The streams and surroundings of a command; tests hand in their own. */
export interface CommandIo {
  readonly stdin: NodeJS.ReadStream
  /** Whether standard input is a pipe, a file or a socket: something to read to its end. */
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
  /** After `anode`, for example `tools use NAME [flags]`. */
  usage: string
  positionals?: readonly CommandPositional[]
  options: Readonly<Record<string, CommandOption>>
  /** Flags that people know from other programs, and what does the same here. */
  foreignFlags?: Readonly<Record<string, string>>
  /** Flags that are not in the table come to `run` as NAME=VALUE under `extra` instead of being refused. */
  takesExtra?: boolean
  /** Command line and what it does; at least one. */
  examples: readonly (readonly [string, string])[]
  /** Resolves to the exit code; see manual/exit-codes.md. */
  run(args: CommandArgs, io: CommandIo): Promise<number>
}

export type LoadVerb = () => Promise<Verb>

/** A verb that only leads to others: `anode tools list`. */
export interface VerbGroup {
  name: string
  summary: string
  verbs: Readonly<Record<string, LoadVerb>>
  /** For words that begin with none of the verbs: `anode study "question"`. */
  otherwise?: LoadVerb
  /** Whether that runs without any word, too; else the help of the group is printed. */
  runsAlone?: boolean
}

export type VerbOrGroup = Verb | VerbGroup

export function isGroup(command: VerbOrGroup): command is VerbGroup {
  return 'verbs' in command
}

/** Options every command takes. */
export const commonOptions: Readonly<Record<string, CommandOption>> = {
  C: { type: 'string', describe: 'Work in this directory instead of the current one', value: 'DIR' },
  color: { type: 'string', describe: 'Colour on standard output', choices: ['auto', 'always', 'never'] },
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

/** Walls around commands, for whatever runs tools. */
export const sandboxOption: CommandOption = {
  type: 'string',
  describe: 'Sandbox for commands: if available, required, or off',
  choices: ['auto', 'require', 'off'],
}

/** The mode of walls that the flag names; nothing without it. */
export function readSandbox(args: CommandArgs): { sandbox?: SandboxMode } {
  const mode = stringArg(args, 'sandbox')
  return mode === undefined ? {} : { sandbox: mode as SandboxMode }
}
