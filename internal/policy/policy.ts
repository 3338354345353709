// The policy that decisions depend on, and the shape of a decision.
import type { FailureCode } from '../base/errors.ts'
import type { CallScope, Level, Mode, PermissionAction, PermissionPreset } from './level.ts'
import type { PermissionRule } from './rules/permission-rule.ts'

/** The settings that decisions depend on. `narrowPolicy` makes the policy of a subagent. */
export interface Policy {
  mode: Mode
  /** Preset that replaces the mode or makes it stricter. Default: the actions of the mode apply unchanged. */
  preset?: PermissionPreset
  rules: readonly PermissionRule[]
  profile: string
  agent: 'thread' | 'subagent'
  /** True if only tools of the levels `auto_read` and `external_read` may be used. */
  readOnly: boolean
  /**
   * Real path of a plan file. In plan mode, only this file may be written and only commands that
   * read may run.
   */
  planning?: string
  roots: PathRoots
  /**
   * True if the user trusts the workspace. Otherwise a command that runs files of the workspace or follows
   * its settings needs approval, even if its class is harmless.
   */
  trusted?: boolean
  /**
   * `each`: the answer "always" stores a rule for each simple command that needs approval, not one for the
   * whole command line.
   */
  always?: 'each' | undefined
  /** The policies of all agents above this one. A decision is never less strict than theirs. */
  parents: readonly Policy[]
}

/** The directories that decisions about paths depend on, as real paths. */
export interface PathRoots {
  workspace: string
  /**
   * The directory that `~` means in a call and in its commands. Default: the user's home directory, which `~`
   * always means in rules.
   */
  home?: string
  added: readonly string[]
  /** Directories that tools may read but never write. */
  protected: readonly string[]
  /**
   * More directories that may be read if a call names their path. They are not part of the workspace: no tool
   * lists, searches or writes them.
   */
  reading?: readonly string[]
  /**
   * The directory of `TMPDIR` for commands without a sandbox. It counts as part of the workspace and is
   * deleted with the session. It may not exist yet.
   */
  temporary?: string | undefined
  /** True in mode `unrestricted`: files that agents read as instructions may be written. */
  openInstructions?: boolean
  /** Paths of files that Anode reads as instructions under any name. The set grows while Anode reads them. */
  instructions?: Set<string>
  /** Further files, outside the workspace, that tools may write. */
  writing?: readonly string[]
  /**
   * Anode's directories for configuration, data and caches, which always need approval. Default:
   * those of base/dirs.ts.
   */
  own?: readonly string[]
}

/** A call with its final, normalized arguments. */
export interface PolicyCall {
  tool: string
  level: Level
  args: Readonly<Record<string, unknown>>
  scope: readonly CallScope[]
  /** Description of this call, which replaces the general description of its level. */
  does?: string
}

/** The reason why a test or build needs approval without a sandbox. */
export const unconfinedBuild =
  'without a sandbox, tests and builds run with all your rights, and the agent may have changed files'

/**
 * Text that explains why a command needs approval although it runs in a sandbox: not all directories were
 * searched for secrets.
 */
export const unsearchedPlaces =
  'the sandbox shows secrets and protected places in directories that were not searched: there are too many'

/** Kind of effect for which a call needs approval, if its level and the mode alone do not explain that. */
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

/** One reason of a decision, for users. */
export interface DecisionReason {
  action: PermissionAction
  /**
   * What made the decision: `level`, `rule`, `path`, `host`, `shell`, `wall` (the sandbox), `profile`,
   * `planning`, `parent`, or `gate`.
   */
  by: string
  text: string
  rule?: PermissionRule
  cause?: DecisionCause
}

/** One of several commands and redirections of a command line, judged separately. */
export interface DecisionPart {
  /** The words of the command, or the file that a redirection writes. */
  name: string
  action: PermissionAction
  /** The reason for the action, such as the class of the command. May be empty. */
  why: string
}

export interface PermissionDecision {
  action: PermissionAction
  /** The error code of the failed result if the call is not allowed. Set for deny and ask. */
  code: FailureCode | undefined
  reasons: readonly DecisionReason[]
  /**
   * The decisions on the simple commands and redirections of a command line, in order; undefined if there are
   * fewer than two.
   */
  parts?: readonly DecisionPart[]
  /** True if the call is allowed only because a sandbox limits its commands. */
  held?: true
  /**
   * All rules that the answer "always" would store. Undefined if no rule may allow such a call, and for a
   * call that needs no approval or is denied.
   */
  always: readonly RuleOffer[] | undefined
}

/** A rule that the user can store, with one line on what it allows in future. */
export interface RuleOffer {
  rule: PermissionRule
  covers: string
  /** Names of the simple commands that the rule would allow. Default: the rule allows the whole call. */
  parts?: readonly string[]
}
