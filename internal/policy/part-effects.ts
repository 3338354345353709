// The effects of a simple command on the paths that it names, apart from its class.
import type { CommandClass } from './shell/command-classes.ts'
import { interpreterOf } from './shell/programs/interpreters.ts'
import { findProgram, type ProgramEntry } from './shell/programs/program-table.ts'
import type { ShellPart } from './shell/shell-part.ts'

/**
 * What a command may do to the paths in its words. `read`: no option makes it write them. `build`: it only
 * tests or builds them. `write`: anything else.
 */
export type OperandAccess = 'read' | 'build' | 'write'

export interface PartEffects {
  access: OperandAccess
  /**
   * True if the program can remove, move or copy whole directories, or change their permissions or owner, as
   * `rm` and `chmod` can. The options and operands do not matter.
   */
  moves: boolean
  /**
   * True for shells, interpreters and programs that, by the table, may write to paths that the words do not
   * name, if the command has no class. False for unknown programs.
   */
  anywhere: boolean
}

/** Returns the effects of a simple command with the command class `commandClass`. */
export function partEffects(part: ShellPart, commandClass: CommandClass['class'] | undefined): PartEffects {
  const [first = '', ...words] = part.words
  const program = first.slice(first.lastIndexOf('/') + 1)
  const name = program === 'git' ? `git ${words.find((word) => !word.startsWith('-'))}` : program
  const entry = findProgram('effects', name)
  const runs = interpreterOf(program) !== undefined || findProgram('shells', program) !== undefined
  const reads =
    commandClass !== undefined || entry?.traits.has('reads') || onlyReads(findProgram('reads', name))
  return {
    access: commandClass === 'building' ? 'build' : reads ? 'read' : 'write',
    moves: entry?.traits.has('moves') === true,
    anywhere: commandClass === undefined && (runs || entry?.traits.has('anywhere') === true),
  }
}

/** Returns true if the program only reads, with any of its options and any number of operands. */
function onlyReads(program: ProgramEntry | undefined): boolean {
  if (!program || ['starts', 'own', 'max'].some((trait) => program.traits.has(trait))) return false
  return [...program.options.values()].every((marks) => !/[>~]/.test(marks))
}
