// Types of a toolset: tools under the names and schemas of another program, as data over native tools.
import type { FailureCode } from '../base/errors.ts'
import type { Level } from '../policy/level.ts'
import type { PermissionRule } from '../policy/rules/permission-rule.ts'
import type { ClipLimit, ToolInput } from '../tool/tool.ts'

export interface ToolsetDefinition {
  name: string
  /** One line for users. */
  about: string
  /** Adapters. A text selects native tools unchanged: name, glob, or `!name` to remove one. */
  adapters: readonly (ToolAdapter | string)[]
  policy?: ToolsetPolicy
}

/** One tool of a toolset: its description for a model, and the native call of its calls. */
export interface ToolAdapter {
  name: string
  /** Description. The first line is the summary; the text contains units and the base of line numbers. */
  about: string
  example: Record<string, unknown>
  /** Flat schema made with field(); conditions between parameters are zod checks; no parameter is rare. */
  input: ToolInput
  /** Targets; the first whose `when` matches the call is used, and the last one has no condition. */
  to: readonly AdapterTarget[]
  /** Whether the adapter is offered only on request by name. */
  optional?: true
}

/** One native tool that the adapter's calls become. */
export interface AdapterTarget {
  /** Conditions by adapter parameter, with defaults filled in. */
  when?: Readonly<Record<string, string | boolean | RegExp>>
  /** Name of the native tool. */
  tool: string
  /** Where the value of each native parameter comes from. */
  args: Readonly<Record<string, ArgumentSource>>
  /** Form of the result. Default: the native text. */
  result?: ResultForm
  /** Text below the native text if this list of the result is empty. */
  ifEmpty?: { list: string; say: string }
  /** Form of the result if no user can answer. Any other failure stays a failed result. */
  ifNoUser?: ResultForm
  /** Target by failure, over the same path, if both only read. */
  otherwise?: Partial<Record<FailureKey, AdapterTarget>>
  /** Texts for failures in place of the native ones, with templates as in a form. */
  faults?: Partial<Record<FailureKey, { message?: string; hint?: string }>>
  /** Level; it only counts if it is higher than that of the native tool. */
  level?: Level
  alone?: true
  clip?: ClipLimit
}

/** Code of a failure; after a slash the `kind` of its detail. */
export type FailureKey = FailureCode | `${FailureCode}/${string}`

/** Source of a native parameter's value. A missing value stays missing. */
export type ArgumentSource =
  | string
  | { always: unknown }
  | TransformedSource
  /** Number of the last line: `start` (default 1) + `count` - 1; missing without a count, and with 0. */
  | { last: readonly [start: string, count: string]; or?: number }
  /** A list made of the items of another; a missing list is empty. */
  | { items: string; each: Readonly<Record<string, ItemSource>> }

/** A parameter, the first one set of several, transformed in this order. */
export interface TransformedSource {
  from: string | readonly string[]
  /** Index of the list item to use. */
  at?: number
  /** A value that counts as missing. */
  skip?: unknown
  /** Value that replaces a missing one. */
  or?: unknown
  times?: number
  plus?: number
  not?: true
  refuseOver?: EnvironmentNumber
}

/** Source within an item; `position` is its number from 1, as a text. */
export type ItemSource = ArgumentSource | { item: true } | { position: true }

/** A positive integer from the environment, else `or`. */
export interface EnvironmentNumber {
  env: string
  or: number
}

/**
 * Form of a result. Templates contain `{args.x}` (of the native call), `{data.x}`, `{raw.x}`, `{item.x}`,
 * `{text}` (the native text) and `{failure.message}`, each with an optional filter `|absolute`,
 * `|seconds` or `|cat_n`.
 */
export type ResultForm =
  | { text: string; empty?: string }
  | { json: Readonly<Record<string, string>> }
  /** Lines of an item with only missing values are skipped; `empty` is the text without any item. */
  | { heading?: string; list: string; item: string; empty?: string }
  /** Lines of `key: value` without missing values, then `key:` and the text below it. */
  | { head: Readonly<Record<string, string>>; body?: Readonly<Record<string, string>> }

export interface ToolsetPolicy {
  /** Rules that ask or deny. */
  rules?: readonly PermissionRule[]
  /** Number of reads that run concurrently. */
  parallel?: number
  /** `each`: an answer "always" stores a rule for every simple command that needs approval. */
  always?: 'each'
  questions?: 'numbered'
  /** `workspace`: `~` is the workspace, in paths and for commands. */
  home?: 'workspace'
  /** Environment variable with protected directories, separated by colons. */
  protectEnv?: string
  /** `bare`: custom tools have no prefix, and those in the workspace's directory `tools` count. */
  customTools?: 'bare'
  /** Whether the system prompt lists the tools with their guidance. */
  toolsSection?: true
}
