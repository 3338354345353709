// The definition of a command, which is data for the parser, the help text, completion and the manual.
import type { SandboxMode } from '../../internal/sandbox/sandbox.ts'
import type { CommandOutput } from './io/command-output.ts'

export interface CommandOption {
  type: 'string' | 'boolean' | 'number' | 'array'
  describe: string
  alias?: string
  choices?: readonly string[]
  default?: string | number | boolean
  /** True if the string option may be typed without a value. A missing value counts as an empty string. */
  bare?: boolean
  /** Placeholder in the help for the option's value, for example `DIR`. */
  value?: string
}

/** The options of a command by name. */
export type OptionTable = Readonly<Record<string, CommandOption>>

export interface CommandPositional {
  name: string
  describe: string
  required?: boolean
  /** The only values that are allowed. */
  choices?: readonly string[]
  /** True if the argument contains all remaining words. */
  many?: boolean
}

/**
 * Parsed arguments. Options are stored by their long name as it is written, positionals by name. `--`
 * contains the words after two dashes, which are also among the positionals.
 */
export interface CommandArgs {
  readonly [name: string]: string | number | boolean | string[] | undefined
}

/**
 * The streams and environment of a command. Tests pass streams and an environment that differ from those
 * of the process.
 */
export interface CommandIo {
  readonly stdin: NodeJS.ReadStream
  /** True if standard input is a pipe, a file or a socket, and not a device such as a terminal. */
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
  /** The usage of the command after `anode`, for example `tools use NAME [flags]`. */
  usage: string
  positionals?: readonly CommandPositional[]
  options: Readonly<Record<string, CommandOption>>
  /** Flags of other programs, each with a hint: the flag or command of Anode for the same purpose. */
  foreignFlags?: Readonly<Record<string, string>>
  /** True if unknown flags are not rejected, and instead passed to `run` as NAME=VALUE under `extra`. */
  takesExtra?: boolean
  /** Example command lines with descriptions; at least one. */
  examples: readonly (readonly [string, string])[]
  /**
   * Runs the command. Resolves to the exit code (see manual/exit-codes.md), or rejects with an error that
   * the caller reports.
   */
  run(args: CommandArgs, io: CommandIo): Promise<number>
}

export type LoadVerb = () => Promise<Verb>

/** A verb, or a function that loads it, where its module is much larger than those of its group. */
export type VerbEntry = Verb | LoadVerb

/** Returns the verb of an entry, which is loaded if necessary. */
export const loadVerb = async (entry: VerbEntry): Promise<Verb> =>
  typeof entry === 'function' ? await entry() : entry

/** A group of commands (verbs) that share their first word, such as `anode tools list`. */
export interface VerbGroup {
  name: string
  summary: string
  verbs: Readonly<Record<string, VerbEntry>>
  /** The verb for words that match no verb of the group: `anode study "question"`. */
  otherwise?: VerbEntry
  /** True if `otherwise` also runs without any word. Default: the help of the group is printed. */
  runsAlone?: boolean
}

export type VerbOrGroup = Verb | VerbGroup

export function isGroup(command: VerbOrGroup): command is VerbGroup {
  return 'verbs' in command
}

/** The options that every command has. */
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

/** The flag `--sandbox`, for commands that run tools. */
export const sandboxOption: CommandOption = {
  type: 'string',
  describe: 'Sandbox for commands: if available, required, or off',
  choices: ['auto', 'require', 'off'],
}

/** Returns the sandbox mode that the flag sets; an empty object without the flag. */
export function readSandbox(args: CommandArgs): { sandbox?: SandboxMode } {
  const mode = stringArg(args, 'sandbox')
  return mode === undefined ? {} : { sandbox: mode as SandboxMode }
}

/** The flags that select the tools of a session: a toolset, only certain tools, or additional tools. */
export const toolsetOptions: Readonly<Record<string, CommandOption>> = {
  toolset: { type: 'string', describe: 'Tools under the names of another program', value: 'NAME' },
  tool: { type: 'array', describe: 'Exactly these tools, in this order', value: 'NAME' },
  'extra-tool': { type: 'array', describe: 'These tools besides: NAME or TOOLSET/NAME', value: 'NAME' },
}

/** The tools of a session that flags select. */
interface ToolSelection {
  /** Name of the toolset. */
  name: string | undefined
  only: string[] | undefined
  extra: string[] | undefined
}

/**
 * Returns the selection of tools; undefined if no flag is set and `qualified` has no toolset. A `qualified`
 * name of the form `TOOLSET/NAME` also selects that toolset, unless a flag sets another, and adds that tool.
 */
export function readToolset(args: CommandArgs, qualified?: string): ToolSelection | undefined {
  const [toolset, adapter] = qualified?.split('/') ?? []
  const name = stringArg(args, 'toolset') ?? (adapter === undefined ? undefined : toolset)
  const names = (flag: string) => listArg(args, flag).flatMap((text) => text.split(',').filter(Boolean))
  const only = names('tool')
  const extra = [...names('extra-tool'), ...(adapter === undefined ? [] : [qualified as string])]
  if (name === undefined && only.length === 0 && extra.length === 0) return undefined
  return { name, only: only.length > 0 ? only : undefined, extra: extra.length > 0 ? extra : undefined }
}

/** Returns the name of a tool without its toolset: `NAME` for `TOOLSET/NAME`. */
export const nameInSession = (name: string) => name.slice(name.indexOf('/') + 1)
