// The decision on a command that is typed into a running shell, and on the command that starts the shell.
import type { TypedText } from './level.ts'
import type { ResolvedPath } from './paths/path-jail.ts'
import type { CommandLine } from './resolved-call.ts'

const shells: ReadonlySet<string> = new Set(['bash', 'sh', 'dash', 'zsh', 'ksh', 'fish'])

/**
 * Returns the line with `unseen` (it may run hidden commands) set to false if it only starts a known shell. A
 * shell without arguments only waits for input. Returns any other line unchanged.
 */
function waitsForInput(line: CommandLine): CommandLine {
  const [part, ...more] = line.parts
  const [program = '', ...words] = part?.words ?? []
  if (!part || more.length > 0 || words.length > 0 || !shells.has(program)) return line
  return { ...line, parts: [{ ...part, unseen: false }] }
}

/**
 * Returns the line with the doubts that apply because a running shell reads it. If its effect is in doubt, or
 * the shell is outside the workspace, it gets no class, which means no default permission. Then only the
 * user, a rule with exactly this text or the sandbox allows it; rules that deny or ask still count. Without a
 * sandbox, git commands have no class either, because a running shell does not keep git from starting
 * programs. A line that starts the shell gets no such doubts.
 */
export function judgeTypedLine(
  line: CommandLine,
  typed: TypedText,
  at: ResolvedPath,
  sandboxed: boolean,
): CommandLine {
  if (typed.starts) return waitsForInput(line)
  const strays = at.root === undefined ? `the shell is in ${at.shown}, outside of the workspace` : undefined
  const doubt = typed.doubt ?? strays
  const parts = line.parts.map((part) => ({
    ...part,
    class: doubt !== undefined || (part.git && !sandboxed) ? undefined : part.class,
    opaque: part.opaque ?? doubt,
  }))
  return { ...line, parts, opaque: line.opaque ?? doubt }
}
