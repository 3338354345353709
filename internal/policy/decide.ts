// The one gate: every call, wherever it comes from, gets its decision here.
import type { FailureCode } from '../base/errors.ts'
import type { Level, Mode, Scope } from './level.ts'
import type { Place } from './path.ts'
import type { Rule } from './rule.ts'
import type { ShellPart } from './shell/part.ts'

export type Action = 'allow' | 'ask' | 'deny'

/** What decisions depend on besides the call. A child's policy is made with `narrow`. */
export interface Policy {
  mode: Mode
  rules: readonly Rule[]
  profile: string
  agent: 'thread' | 'subagent'
  /** Keep only auto_read and external_read. */
  readOnly: boolean
  roots: Roots
  /** The policies of the agents above; a decision is never milder than theirs. */
  parents: readonly Policy[]
}

/** Directories, all real paths. */
export interface Roots {
  workspace: string
  added: readonly string[]
  /** May be read, never written. */
  protected: readonly string[]
}

/** A call with its final, normalised arguments. */
export interface Call {
  tool: string
  level: Level
  args: Readonly<Record<string, unknown>>
  scope: readonly Scope[]
}

/** A call whose scopes have been looked up: paths resolved through links, command lines parsed. */
export interface Facts {
  call: Call
  places: readonly { place: Place; access: 'read' | 'write' }[]
  /** Every simple command of every command line; `opaque` when something lies outside the understood grammar. */
  commands: readonly { line: string; parts: readonly ShellPart[]; opaque: string | undefined }[]
  hosts: readonly string[]
}

/** One link of the chain that led to a decision, for people. */
export interface Reason {
  action: Action
  /** `level`, `mode`, `rule`, `path`, `shell`, `profile`, `parent`. */
  by: string
  text: string
  rule?: Rule
}

export interface Decision {
  action: Action
  /** Set with deny and ask: the code a failed result carries when nobody allows it. */
  code: FailureCode | undefined
  reasons: readonly Reason[]
  /** The rule that would be stored for the answer "always"; absent where no rule may allow it. */
  always: Rule | undefined
}
