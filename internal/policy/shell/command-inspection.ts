// The check of a command's words for anything that makes its effect uncertain. Then only a rule for the exact
// line may allow the command.

import { decidesWhatRuns, explainInfluence } from './environment.ts'
import { codeIn, interpreterOf } from './programs/interpreters.ts'
import { findProgram, knowsProgram } from './programs/program-table.ts'
import { judgeReader } from './programs/readers.ts'
import { judgeRisk } from './programs/risks.ts'
import { programName, startsCommand } from './programs/wrappers.ts'
import type { ShellWord, SimpleCommand } from './syntax/simple-command.ts'

interface CommandFinding {
  opaque: string | undefined
  unseen: boolean
}

const fine: CommandFinding = { opaque: undefined, unseen: false }

/**
 * Returns as `opaque` the first reason why only a rule for the exact line may allow a command.
 * `unseen` is true if the command may start programs that its words do not show. Wrappers and git are
 * checked in other files.
 */
export function inspectCommand(command: SimpleCommand): CommandFinding {
  const { words } = command
  const first = words[0]
  const names = command.sets.map(({ name }) => name)
  const unseen =
    command.unseen || names.some(decidesWhatRuns) || command.sets.some(({ value }) => canRunSubscript(value))
  // Without a program, the assignments set shell variables. Such a variable reaches later programs only if
  // the environment already contains it, and names in the environment are taken to be in upper case.
  const set = names
    .filter((name) => first || decidesWhatRuns(name) || !/[a-z]/.test(name))
    .flatMap((name) => explainInfluence(name) ?? [])[0]
  if (set) return { opaque: set, unseen: unseen || (first !== undefined && setsVariables(words)) }
  if (command.odd) return { opaque: command.odd, unseen }
  if (!first) return { opaque: unseen ? 'it may evaluate what it assigns' : undefined, unseen }
  if (!first.known || first.glob)
    return { opaque: 'which program it runs is only known at run time', unseen: true }
  const loose = [...words, ...command.writes, ...command.reads].find((word) => !word.known)
  if (loose)
    return { opaque: `${loose.text} is only known at run time`, unseen: unseen || mayRun(first.text) }
  const finding = judgeWords(words)
  if (finding.opaque) return { ...finding, unseen: finding.unseen || unseen }
  const glob = words.find((word, i) => i > 0 && word.glob && /^[*?[]/.test(word.text))
  if (glob && mayRun(first.text)) return { opaque: `${glob.text} may become an option`, unseen: true }
  return unseen ? { opaque: 'it may evaluate what it assigns', unseen } : fine
}

/**
 * Returns true if the program may start what one of its words names. Such a program is only known at run
 * time, is not one that `knowsProgram` accepts, is an interpreter or a shell, or has a path outside of the
 * system's `bin` directories.
 */
export function isUnknown(words: readonly ShellWord[]): boolean {
  const program = words[0]
  if (!program?.known) return program !== undefined
  const name = programName(program)
  if (program.text.includes('/') && !/^\/(?:usr\/)?s?bin\/[^/]+$/.test(program.text)) return true
  return !knowsProgram(name) || interpreterOf(name) !== undefined || findProgram('shells', name) !== undefined
}

/**
 * Returns true for programs that have options to start other programs. An unknown word of the command may be
 * such an option.
 */
function mayRun(program: string): boolean {
  const name = programName({ text: program, known: true, glob: false })
  if (findProgram('reads', name)?.traits.has('starts')) return true
  const risk = findProgram('risks', name)
  return (risk !== undefined && !risk.traits.has('writes')) || interpreterOf(name) !== undefined
}

function judgeWords(words: readonly ShellWord[]): CommandFinding {
  const name = programName(words[0])
  const texts = [name, ...withoutCommands(name, words).map((word) => word.text)]
  const interpreter = interpreterOf(name)
  const code = interpreter && codeIn(texts, interpreter)
  if (code) return { opaque: code, unseen: true }
  const read = judgeReader(texts)
  if (read && 'odd' in read) return { opaque: read.odd, unseen: read.unseen }
  const risk = judgeRisk(texts)
  if (!risk) return fine
  return { opaque: risk.why, unseen: risk.unseen || (risk.sets && setsVariables(words)) }
}

/**
 * Returns the words after the program, without the commands of `find -exec` and `fd -x`, which are judged
 * as separate parts.
 */
function withoutCommands(name: string, words: readonly ShellWord[]): readonly ShellWord[] {
  const rest = words.slice(1)
  const finder = findProgram('finds', name)
  if (!finder) return rest
  if (finder.traits.has('rest')) {
    const at = rest.findIndex(({ text }) => startsCommand(finder, text))
    return at < 0 ? rest : rest.slice(0, at)
  }
  const out: ShellWord[] = []
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i] as ShellWord
    if (!startsCommand(finder, word.text)) out.push(word)
    else while (i < rest.length && !/^(?:;|\+)$/.test(rest[i]?.text ?? '')) i++
  }
  return out
}

/** Builtins that change each variable that they name. The others only declare or export such a variable. */
const changesNamed = new Set(['read', 'getopts', 'unset'])

/**
 * Returns true if a command such as `export` or `read` may set a variable that decides what runs: one in a
 * word `NAME=value`, or a name after `read`, `getopts` or `unset`. Also for a word whose text the shell may
 * evaluate: a variable name can contain a subscript, which the shell evaluates even in quotes. Always
 * false for `trap`, whose command is checked separately.
 */
function setsVariables(words: readonly ShellWord[]): boolean {
  const name = programName(words[0])
  if (!findProgram('risks', name)?.traits.has('sets') || name === 'trap') return false
  return words.slice(1).some(
    ({ known: isKnown, glob, text }) =>
      !isKnown ||
      glob ||
      /[[$`]/.test(text) ||
      // An integer variable (-i) evaluates its value, and a reference (-n) can lead to any variable.
      /^-\w*[in]/.test(text) ||
      decidesWhatRuns(/^(\w+)\+?=/.exec(text)?.[1] ?? '') ||
      (changesNamed.has(name) && decidesWhatRuns(text)),
  )
}

/**
 * Returns true if the value contains a subscript with a command substitution, which an integer variable would
 * run. The variable may have been declared an integer elsewhere.
 */
function canRunSubscript(value: ShellWord): boolean {
  return /\[[\s\S]*(?:\$\(|`)/.test(value.text)
}
