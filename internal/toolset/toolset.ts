// The types of a toolset: tools under the names and schemas of another program, as data over native tools.
import type { FailureCode } from '../base/errors.ts'
import type { Level } from '../policy/level.ts'
import type { PermissionRule } from '../policy/rules/permission-rule.ts'
import type { ClipLimit, ToolInput } from '../tool/tool.ts'

export interface ToolsetDefinition {
  name: string
  /** One line for people. */
  about: string
  /** A text stands for native tools as they are: name, glob, or `!name` to take one out. */
  adapters: readonly (ToolAdapter | string)[]
  policy?: ToolsetPolicy
}

/** One tool of a toolset: what a model is told, and which native call its calls become. */
export interface ToolAdapter {
  name: string
  /** The first line is the summary; units and what lines count from stand in it. */
  about: string
  example: Record<string, unknown>
  /** Flat, made with field(); conditions between parameters are zod checks; no parameter is rare. */
  input: ToolInput
  /** The first target whose `when` fits the call; the last one has none. */
  to: readonly AdapterTarget[]
  /** Offered only where it is asked for by name. */
  optional?: true
}

/** One native tool that calls of a face become. */
export interface AdapterTarget {
  /** By parameter of the face, with defaults filled in. */
  when?: Readonly<Record<string, string | boolean | RegExp>>
  /** Name of the native tool. */
  tool: string
  /** By parameter of the native tool. */
  args: Readonly<Record<string, ArgumentSource>>
  /** How the result is written; absent: the native text. */
  result?: ResultForm
  /** What is said below the native text where this list of the result is empty. */
  ifEmpty?: { list: string; say: string }
  /** Form of the result where no user can answer. Every other failure stays a failed result. */
  ifNoUser?: ResultForm
  /** By failure: a target over the same path, where both only read. */
  otherwise?: Partial<Record<FailureKey, AdapterTarget>>
  /** Words for failures instead of the native ones; templates as in a form. */
  faults?: Partial<Record<FailureKey, { message?: string; hint?: string }>>
  /** Only counts where it is higher than that of the native tool. */
  level?: Level
  alone?: true
  clip?: ClipLimit
}

/** Code of a failure; behind a slash the `kind` of its detail. */
export type FailureKey = FailureCode | `${FailureCode}/${string}`

/** Where the value of a native parameter comes from. An absent value stays absent. */
export type ArgumentSource =
  | string
  | { always: unknown }
  | TransformedSource
  /** Number of the last line: `start` (else 1) + `count` - 1; absent without a count, and with 0. */
  | { last: readonly [start: string, count: string]; or?: number }
  /** A list, made of the items of another; an absent list is empty. */
  | { items: string; each: Readonly<Record<string, ItemSource>> }

/** A parameter, the first given of several, changed in this order. */
export interface TransformedSource {
  from: string | readonly string[]
  /** The item of this list at this index. */
  at?: number
  /** A value that counts as absent. */
  skip?: unknown
  /** Stands in for an absent value. */
  or?: unknown
  times?: number
  plus?: number
  not?: true
  refuseOver?: EnvironmentNumber
}

/** `position`: from 1, as a text. */
export type ItemSource = ArgumentSource | { item: true } | { position: true }

/** A positive integer in the environment, else `or`. */
export interface EnvironmentNumber {
  env: string
  or: number
}

/**
 * Templates hold `{args.x}` (of the native call), `{data.x}`, `{raw.x}`, `{item.x}`, `{text}` (the native
 * text) and `{failure.message}`, each with a filter `|absolute`, `|seconds` or `|cat_n` if need be.
 */
export type ResultForm =
  | { text: string; empty?: string }
  | { json: Readonly<Record<string, string>> }
  /** Lines of an item about absent values alone are left out; `empty` stands where there is no item. */
  | { heading?: string; list: string; item: string; empty?: string }
  /** `key: value` lines without absent values, then `key:` and the text below it. */
  | { head: Readonly<Record<string, string>>; body?: Readonly<Record<string, string>> }

export interface ToolsetPolicy {
  /** Only such as ask or deny. */
  rules?: readonly PermissionRule[]
  /** Reads that run side by side. */
  parallel?: number
  /** `each`: an answer "always" stores a rule for every simple command that asks. */
  always?: 'each'
  questions?: 'numbered'
  /** `~` is the workspace, in paths and for commands. */
  home?: 'workspace'
  /** Variable of the environment with protected directories, separated by colons. */
  protectEnv?: string
  /** Tools that people bring go by their own names, and those of the workspace's folder `tools` count. */
  customTools?: 'bare'
  /** The system prompt lists the tools, with the guidance that they bring. */
  toolsSection?: true
}
