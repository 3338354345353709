// What a command is: data that the parser, the help text, completion and the manual are all made from.
import type { Out } from './out.ts'

export interface Option {
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

export interface Positional {
  name: string
  describe: string
  required?: boolean
  /** The only words it takes. */
  choices?: readonly string[]
  /** Takes all remaining words. */
  many?: boolean
}

/** Parsed arguments: options by their long name in camelCase and as written, positionals by name. */
export interface Args {
  readonly [name: string]: string | number | boolean | string[] | undefined
}

/** The streams and surroundings of a command; tests hand in their own. */
export interface Io {
  readonly stdin: NodeJS.ReadStream
  /** Whether standard input is a pipe, a file or a socket: something to read to its end. */
  readonly piped: boolean
  readonly stdout: Out
  readonly stderr: Out
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly signal: AbortSignal
}

export interface Verb {
  name: string
  summary: string
  /** After `anode`, for example `tools use NAME [flags]`. */
  usage: string
  positionals?: readonly Positional[]
  options: Readonly<Record<string, Option>>
  /** Flags that people know from other programs, and what does the same here. */
  foreignFlags?: Readonly<Record<string, string>>
  /** Flags that are not in the table come to `run` as NAME=VALUE under `extra` instead of being refused. */
  takesExtra?: boolean
  /** Command line and what it does; at least one. */
  examples: readonly (readonly [string, string])[]
  /** Resolves to the exit code; see manual/exit-codes.md. */
  run(args: Args, io: Io): Promise<number>
}

export type LoadVerb = () => Promise<Verb>

/** A verb that only leads to others: `anode tools list`. */
export interface Group {
  name: string
  summary: string
  verbs: Readonly<Record<string, LoadVerb>>
  /** For words that begin with none of the verbs: `anode study "question"`. */
  otherwise?: LoadVerb
}

export type Command = Verb | Group

export function isGroup(command: Command): command is Group {
  return 'verbs' in command
}

/** Options every command takes. */
export const common: Readonly<Record<string, Option>> = {
  C: { type: 'string', describe: 'Work in this directory instead of the current one', value: 'DIR' },
  color: { type: 'string', describe: 'Colour on standard output', choices: ['auto', 'always', 'never'] },
  help: { type: 'boolean', describe: 'Show help', alias: 'h' },
}

export const str = (args: Args, name: string): string | undefined => {
  const value = args[name]
  return value === undefined ? undefined : String(value)
}
export const flag = (args: Args, name: string): boolean => args[name] === true
export const list = (args: Args, name: string): string[] => {
  const value = args[name]
  return Array.isArray(value) ? value : value === undefined ? [] : [String(value)]
}
export const num = (args: Args, name: string): number | undefined => {
  const value = args[name]
  return typeof value === 'number' ? value : undefined
}
