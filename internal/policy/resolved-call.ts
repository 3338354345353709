// A call whose scopes have been resolved: its paths, its hosts, and its command lines part by part.
import type { FailureCode } from '../base/errors.ts'
import type { HostQuestion } from './level.ts'
import type { OperandAccess } from './part-effects.ts'
import type { ResolvedPath } from './paths/path-jail.ts'
import type { SensitiveContent } from './paths/sensitive-contents.ts'
import type { PolicyCall } from './policy.ts'
import type { MentionedFiles, ReachedFiles } from './ruled-places.ts'
import type { CommandClass } from './shell/command-classes.ts'
import type { ShellPart } from './shell/shell-part.ts'

/** A part of a line with what the command classes of mode `auto` need to know. */
export interface LinePart extends ShellPart {
  /** The class that its words belong to; counts only when `touches` lie in the workspace. */
  class: CommandClass['class'] | undefined
  /** Every place that its words may name. */
  touches: readonly ResolvedPath[]
  /** It runs git, which obeys the repository's settings. */
  git: boolean
  /**
   * Places that its words may name: operands, values of options, files that redirections read, globs
   * expanded.
   */
  names: readonly ResolvedPath[]
  /** Why its words may name others as well; undefined when `names` are all. */
  vague: string | undefined
  /** Those of them that lie outside of the workspace and of the added folders. */
  outside: readonly ResolvedPath[]
  /** True when there were more names than are looked at. */
  cut: boolean
  /** What the program may do to the places that it names, and whether it works on whole folders. */
  access: OperandAccess
  moves: boolean
  /** It runs other parts of the line, which are judged by themselves. */
  wraps: boolean
  /** It may write where none of its words says. */
  anywhere: boolean
  /** It prints what lies below folders: see Class. */
  searches: CommandClass['searches']
  /** Guarded places and secret names below folders that it names. */
  sensitiveContents: readonly SensitiveContent[]
  /** Files that rules keep closed, below folders that it reads as a whole. */
  reaches: ReachedFiles
  /** Its words name a file that is there. Looked up only where a rule speaks of reading. */
  namesFile: boolean
}

/** One command line, taken apart. */
export interface CommandLine {
  line: string
  /** Real path of the folder that it starts in. */
  cwd: string
  /** Every folder that it may be in; `lost` when it may also go where that cannot be told. */
  dirs: readonly string[]
  lost: boolean
  /** Every simple command it can run. */
  parts: readonly LinePart[]
  /** Set when something lies outside the understood grammar. */
  opaque: string | undefined
  /** Why git may show what lies elsewhere, where a part of it is git. */
  repository: string | undefined
  /** Files that redirections write to. */
  writes: readonly ResolvedPath[]
  /** True when a redirection writes to a file whose name is not known before it runs. */
  blind: boolean
  /** Files that rules keep closed and that its text mentions, where a part of it cannot be read. */
  mentions: MentionedFiles
}

/** A call whose scopes have been looked up. */
export interface CallFacts {
  call: PolicyCall
  /** `granted`: outside of the workspace, for this one call. */
  places: readonly { place: ResolvedPath; access: 'read' | 'write'; granted?: boolean }[]
  commands: readonly CommandLine[]
  hosts: readonly string[]
  /** Questions of those hosts that need approval. */
  hostQuestions?: ReadonlyMap<string, HostQuestion>
  /** Its commands start behind the wall `workspace`. */
  walled?: boolean
  /** No sandbox contains its commands, and tests and builds need approval for that. */
  unconfined?: boolean
  /** The sandbox of its commands was built without a search of all directories. */
  unsearched?: boolean
  /** What could not be looked up; each of them denies the call. */
  faults: readonly { code: FailureCode; text: string }[]
}
