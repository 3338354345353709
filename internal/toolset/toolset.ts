// The types of a toolset: tools under the names and schemas of another program, described as data
// about native tools.
import type { FailureCode } from '../base/errors.ts'
import type { Level } from '../policy/level.ts'
import type { PermissionRule } from '../policy/rules/permission-rule.ts'
import type { ClipLimit, ToolInput } from '../tool/tool.ts'

export interface ToolsetDefinition {
  name: string
  /** Description of the toolset in one line, for users. */
  about: string
  /**
   * The tools of the toolset. A text selects native tools unchanged: name, glob, or `!name` to remove a tool.
   */
  adapters: readonly (ToolAdapter | string)[]
  policy?: ToolsetPolicy
}

/** One tool of a toolset: its description for a model, and the native calls that its calls become. */
export interface ToolAdapter {
  name: string
  /**
   * Description of the tool. The first line is the summary; the text contains units and the base
   * of line numbers.
   */
  about: string
  example: Record<string, unknown>
  /** Flat schema of the parameters, made with field(). Conditions between parameters are zod checks. */
  input: ToolInput
  /** Native targets. The first whose `when` matches the call is used; the last one has no condition. */
  to: readonly AdapterTarget[]
  /** True if the adapter is offered only on request by name. */
  optional?: true
}

/** One native tool that the adapter's calls become. */
export interface AdapterTarget {
  /** Conditions on the adapter's parameters, by name. The defaults of parameters are filled in before. */
  when?: Readonly<Record<string, string | boolean | RegExp>>
  /** Name of the native tool. */
  tool: string
  /** The source of each native parameter's value. */
  args: Readonly<Record<string, ArgumentSource>>
  /** Form of the result. Default: the text of the native tool. */
  result?: ResultForm
  /**
   * A sentence that is added below the native text if the list at the path `list`, such as
   * `data.matches`, is empty.
   */
  ifEmpty?: { list: string; say: string }
  /** Form of the result if no user can answer. For any other failure the result stays a failed one. */
  ifNoUser?: ResultForm
  /**
   * Other target, by failure: it runs if a call of the current target fails in that way. Both targets read
   * the same path and only read.
   */
  otherwise?: Partial<Record<FailureKey, AdapterTarget>>
  /** Texts for failures in place of the native texts, with templates as in a result form. */
  faults?: Partial<Record<FailureKey, { message?: string; hint?: string }>>
  /** Permission level of the target. It only counts if it is higher than that of the native tool. */
  level?: Level
  alone?: true
  clip?: ClipLimit
}

/** Code of a failure, optionally followed by a slash and the `kind` of its detail. */
export type FailureKey = FailureCode | `${FailureCode}/${string}`

/** Source of a native parameter's value. If the source has no value, the parameter stays unset. */
export type ArgumentSource =
  | string
  | { always: unknown }
  | TransformedSource
  /**
   * Number of the last line: `start` (default 1) + `count` (default `or`) - 1. It is missing if the count is
   * 0, or if the call has no count and `or` is missing.
   */
  | { last: readonly [start: string, count: string]; or?: number }
  /** A list made of the items of another; a missing list is empty. */
  | { items: string; each: Readonly<Record<string, ItemSource>> }

/**
 * A value from one parameter, or from the first of several that is set. `at`, `skip` and `or` select the
 * value, `not` inverts it, `times` and `plus` convert it to a number in another unit. A number above
 * `refuseOver` fails with `bad_args`.
 */
export interface TransformedSource {
  from: string | readonly string[]
  /** Index of the list item that is used. */
  at?: number
  /** A value of the parameter that counts as missing. */
  skip?: unknown
  /** Value that replaces a missing value. */
  or?: unknown
  times?: number
  plus?: number
  not?: true
  refuseOver?: EnvironmentNumber
}

/**
 * Source of a value within a list item: `item` is the item itself, `position` its number from 1, as a text;
 * other sources name fields of the item.
 */
export type ItemSource = ArgumentSource | { item: true } | { position: true }

/** A number from the environment if it is a positive integer there, else `or`. */
export interface EnvironmentNumber {
  env: string
  or: number
}

/**
 * Form of a result. Templates contain placeholders: `{args.x}` (of the native call), `{data.x}`, `{raw.x}`,
 * `{item.x}`, `{text}` (the native text) and `{failure.x}`, such as `{failure.message}`. An optional filter
 * follows the name: `|absolute`, `|seconds` (from milliseconds) or `|cat_n` (lines numbered as by `cat -n`).
 */
export type ResultForm =
  | { text: string; empty?: string }
  | { json: Readonly<Record<string, string>> }
  /** Lines of an item with only missing values are skipped; `empty` is the text without any item. */
  | { heading?: string; list: string; item: string; empty?: string }
  /** Lines of `key: value` without missing values, then `key:` and the text below it. */
  | { head: Readonly<Record<string, string>>; body?: Readonly<Record<string, string>> }

export interface ToolsetPolicy {
  /** Permission rules of the toolset that ask or deny. */
  rules?: readonly PermissionRule[]
  /**
   * Largest number of calls that run at the same time; only calls that read or start agents do. Default: 8.
   */
  parallel?: number
  /** With `each`, an answer "always" stores a rule for every simple command that needs approval. */
  always?: 'each'
  questions?: 'numbered'
  /** With `workspace`, `~` means the workspace, in paths and for commands. */
  home?: 'workspace'
  /** Name of the environment variable with protected directories, separated by colons. */
  protectEnv?: string
  /**
   * With `bare`, custom tools have no prefix, and those in the directory `tools` of a trusted workspace
   * are loaded too.
   */
  customTools?: 'bare'
  /** True if the system prompt lists the tools with their guidance. */
  toolsSection?: true
}
