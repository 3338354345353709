// What decisions depend on, and what they look like.
import type { FailureCode } from '../base/errors.ts'
import type { CallScope, Level, Mode, PermissionAction } from './level.ts'
import type { PermissionPreset } from './presets.ts'
import type { PermissionRule } from './rules/permission-rule.ts'

/** What decisions depend on besides the call. A child's policy is made with `narrow`. */
export interface Policy {
  mode: Mode
  /** Tightens or opens the table of levels; absent: the table as it is. */
  preset?: PermissionPreset
  rules: readonly PermissionRule[]
  profile: string
  agent: 'thread' | 'subagent'
  /** Keep only auto_read and external_read. */
  readOnly: boolean
  /** Real path of a plan: while it is made, only this file is written and only commands that read run. */
  planning?: string
  roots: PathRoots
  /**
   * True when a person has trusted the workspace; only then do commands that run or obey its files count by
   * class.
   */
  trusted?: boolean
  /** `each`: "always" is offered for every simple command of a line that asks, not for the line. */
  always?: 'each' | undefined
  /** The policies of the agents above; a decision is never milder than theirs. */
  parents: readonly Policy[]
}

/** Directories, all real paths. */
export interface PathRoots {
  workspace: string
  /** What `~` is in a call and for its commands; absent: the person's home. In rules it is always that. */
  home?: string
  added: readonly string[]
  /** May be read, never written. */
  protected: readonly string[]
  /**
   * May be read besides, without being part of the work: nothing lists or searches them, nobody writes there.
   */
  reading?: readonly string[]
  /**
   * What `TMPDIR` is for commands without a wall: belongs to the work, and is gone with the session. May not
   * exist yet.
   */
  temporary?: string | undefined
  /** True in mode `unrestricted`: files that agents read as instructions may be written. */
  openInstructions?: boolean
  /** Paths of files that Anode reads as instructions by any name; grows while it reads them. */
  instructions?: Set<string>
  /** Single files that may be written besides. */
  writing?: readonly string[]
  /** Anode's configuration, data and caches; absent: where base/dirs.ts puts them. Using them always asks. */
  own?: readonly string[]
}

/** A call with its final, normalised arguments. */
export interface PolicyCall {
  tool: string
  level: Level
  args: Readonly<Record<string, unknown>>
  scope: readonly CallScope[]
  /** What the call does, where the words of its level do not fit. */
  does?: string
}

/** Why a test or build needs approval where no sandbox contains it. */
export const unconfinedBuild =
  'there is no sandbox here: tests and builds run with all your rights, and the agent may have changed files'

/** Why a command needs approval although it runs in a sandbox. */
export const unsearchedPlaces =
  'the sandbox shows secrets and protected places in directories that were not searched: there are too many'

/** What a call asks for, where the words of its mode do not say it. */
export type DecisionCause =
  | 'network'
  | 'host'
  | 'history'
  | 'publishing'
  | 'deletion'
  | 'grant'
  | 'unread'
  | 'untrusted'
  | 'unconfined'
  | 'unsearched'
  | 'secret'
  | 'protected'
  | 'outside'
  | 'rule'

/** One link of the chain that led to a decision, for people. */
export interface DecisionReason {
  action: PermissionAction
  /**
   * `level`, `mode`, `preset`, `rule`, `path`, `host`, `shell`, `wall`, `profile`, `planning`, `parent`, or
   * `gate`.
   */
  by: string
  text: string
  rule?: PermissionRule
  cause?: DecisionCause
}

/** One of several commands and redirections of a line, judged by itself. */
export interface DecisionPart {
  /** Its words, or what it writes. */
  name: string
  action: PermissionAction
  /** Its class, or why it asks. */
  why: string
}

export interface PermissionDecision {
  action: PermissionAction
  /** Set with deny and ask: the code a failed result carries when nobody allows it. */
  code: FailureCode | undefined
  reasons: readonly DecisionReason[]
  /** Present for lines of several parts, in their order. */
  parts?: readonly DecisionPart[]
  /** Set with allow: nothing but the wall around the command allows it. */
  held?: true
  /** What the answer "always" would store, all of it; absent where no rules may allow the call. */
  always: readonly RuleOffer[] | undefined
}

/** A rule that a person may keep, and in one line what it lets through from then on. */
export interface RuleOffer {
  rule: PermissionRule
  covers: string
  /** Names of the parts of a line that it answers for; absent: for the call as a whole. */
  parts?: readonly string[]
}
