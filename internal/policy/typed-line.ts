// Judges a line that is typed into a shell which lives on, and the line that starts it.
import type { TypedText } from './level.ts'
import type { ResolvedPath } from './paths/path-jail.ts'
import type { CommandLine } from './resolved-call.ts'

const shells: ReadonlySet<string> = new Set(['bash', 'sh', 'dash', 'zsh', 'ksh', 'fish'])

/** A known shell alone runs nothing yet, so that no rule may be about what it will run. */
function waitsForInput(line: CommandLine): CommandLine {
  const [part, ...more] = line.parts
  const [program = '', ...words] = part?.words ?? []
  if (!part || more.length > 0 || words.length > 0 || !shells.has(program)) return line
  return { ...line, parts: [{ ...part, unseen: false }] }
}

/**
 * With a doubt, or outside of the workspace, only a person, a rule with exactly this text or the wall allows
 * it; what rules forbid stays forbidden. Without a wall git counts as no class: such a shell was not started
 * to keep it harmless.
 */
export function judgeTypedLine(
  line: CommandLine,
  typed: TypedText,
  at: ResolvedPath,
  walled: boolean,
): CommandLine {
  if (typed.starts) return waitsForInput(line)
  const strays = at.root === undefined ? `the shell is in ${at.shown}, outside of the workspace` : undefined
  const doubt = typed.doubt ?? strays
  const parts = line.parts.map((part) => ({
    ...part,
    class: doubt !== undefined || (part.git && !walled) ? undefined : part.class,
    opaque: part.opaque ?? doubt,
  }))
  return { ...line, parts, opaque: line.opaque ?? doubt }
}
