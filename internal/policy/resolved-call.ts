// A call whose scopes are resolved: its paths, its hosts, and the simple commands of its command lines.
import type { FailureCode } from '../base/errors.ts'
import type { HostQuestion } from './level.ts'
import type { OperandAccess } from './part-effects.ts'
import type { ResolvedPath } from './paths/path-jail.ts'
import type { SensitiveContent } from './paths/sensitive-contents.ts'
import type { PolicyCall } from './policy.ts'
import type { MentionedFiles, ReachedFiles } from './ruled-places.ts'
import type { CommandClass } from './shell/command-classes.ts'
import type { ShellPart } from './shell/shell-part.ts'

/** A simple command of a command line, with everything that its permission decision depends on. */
export interface LinePart extends ShellPart {
  /**
   * The class of the command by its words, such as `reading`. It counts only if every path in `touches` is
   * in the workspace.
   */
  class: CommandClass['class'] | undefined
  /**
   * Every path that a command of a known class may touch, and the directories that it may run in. Empty
   * without a class.
   */
  touches: readonly ResolvedPath[]
  /** True if the command has a known class and runs git, which follows the settings of the repository. */
  git: boolean
  /**
   * Paths that the words of the command may name: operands, values of options, files that redirections read,
   * matches of globs.
   */
  names: readonly ResolvedPath[]
  /** Reason why the words of the command may name further paths; undefined if `names` is complete. */
  vague: string | undefined
  /**
   * Paths outside the workspace and the added directories that exist or could be created: those of `touches`
   * for the class `reading`, else those of `names`. Without the program, `PathRoots.reading`, and devices
   * such as /dev/null.
   */
  outside: readonly ResolvedPath[]
  /**
   * True if the command has more names than Anode checks, so that the rest is unknown and the
   * command needs approval.
   */
  cut: boolean
  /**
   * What the program may do to the paths that it names. `moves` is true if it removes, moves or
   * copies whole directories.
   */
  access: OperandAccess
  moves: boolean
  /** True if the command runs other simple commands of the line, which are judged as separate parts. */
  wraps: boolean
  /** True if the command may also write paths that are not in its words. */
  anywhere: boolean
  /** Which files below directories the command prints; see `CommandClass.searches`. */
  searches: CommandClass['searches']
  /**
   * Sensitive paths, such as files with secrets or protected files: those below directories that the command
   * names or searches, and those among the files that it may write without naming them.
   */
  sensitiveContents: readonly SensitiveContent[]
  /** Forbidden files in directories that the command reads as a whole; a rule forbids each of them. */
  reaches: ReachedFiles
  /**
   * True if the words of the command name an existing file. It is computed only if a rule is
   * about reading files.
   */
  namesFile: boolean
}

/** One command line, split into its simple commands. */
export interface CommandLine {
  line: string
  /** Real path of the directory in which the line starts. */
  cwd: string
  /** Every directory in which the line may run. `lost` is true if it may also run in an unknown directory. */
  dirs: readonly string[]
  lost: boolean
  /** Every simple command that the line can run. */
  parts: readonly LinePart[]
  /** Reason why a part of the line could not be parsed; undefined if all of it is understood. */
  opaque: string | undefined
  /**
   * Reason why git may show files from outside the repository; undefined if it does not, or if no command of
   * a known class runs git.
   */
  repository: string | undefined
  /** Files that redirections write to. */
  writes: readonly ResolvedPath[]
  /** True if a redirection writes to a file whose name is only known at run time. */
  blind: boolean
  /**
   * Files that rules forbid and that the text of the line mentions. Empty if all of the line can be parsed
   * and every program is known.
   */
  mentions: MentionedFiles
}

/** A call whose scopes are resolved. */
export interface CallFacts {
  call: PolicyCall
  /**
   * The paths that the call touches. `granted`: a path outside the workspace that this call asks its sandbox
   * to leave open.
   */
  places: readonly { place: ResolvedPath; access: 'read' | 'write'; granted?: boolean }[]
  commands: readonly CommandLine[]
  hosts: readonly string[]
  /** For hosts in `hosts`, the question that a user has to answer first. */
  hostQuestions?: ReadonlyMap<string, HostQuestion>
  /** True if the commands of the call start in a sandbox that limits them to the workspace. */
  sandboxed?: boolean
  /**
   * True if the commands of the call run without a sandbox, and tests and builds need approval
   * for that reason.
   */
  unconfined?: boolean
  /** True if not all directories were searched for secrets before the sandbox of the call was built. */
  unsearched?: boolean
  /** Paths or lines of the call that could not be resolved. Each of them denies the call. */
  faults: readonly { code: FailureCode; text: string }[]
}
