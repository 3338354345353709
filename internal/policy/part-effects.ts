// What a part may do to the places that it names, beside its class.
import type { CommandClass } from './shell/command-classes.ts'
import { interpreterOf } from './shell/programs/interpreters.ts'
import { findProgram, type ProgramEntry } from './shell/programs/program-table.ts'
import type { ShellPart } from './shell/shell-part.ts'

/**
 * `read`: none of its options writes what its words name; `build`: it only tests or builds what they name.
 */
export type OperandAccess = 'read' | 'build' | 'write'

export interface PartEffects {
  access: OperandAccess
  /** It removes, moves, copies or opens whole folders. */
  moves: boolean
  /** It writes where no word of it says. */
  anywhere: boolean
}

/** The effects of a part of this class. */
export function partEffects(part: ShellPart, known: CommandClass['class'] | undefined): PartEffects {
  const [first = '', ...words] = part.words
  const program = first.slice(first.lastIndexOf('/') + 1)
  const name = program === 'git' ? `git ${words.find((word) => !word.startsWith('-'))}` : program
  const found = findProgram('effects', name)
  const runs = interpreterOf(program) !== undefined || findProgram('shells', program) !== undefined
  const reads = known !== undefined || found?.traits.has('reads') || onlyReads(findProgram('reads', name))
  return {
    access: known === 'building' ? 'build' : reads ? 'read' : 'write',
    moves: found?.traits.has('moves') === true,
    anywhere: known === undefined && (runs || found?.traits.has('anywhere') === true),
  }
}

/** No option of it, and no number of operands, makes it write. */
function onlyReads(program: ProgramEntry | undefined): boolean {
  if (!program || ['starts', 'own', 'max'].some((trait) => program.traits.has(trait))) return false
  return [...program.options.values()].every((marks) => !/[>~]/.test(marks))
}
