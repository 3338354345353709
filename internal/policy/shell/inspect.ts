// What is known of a program's words: whether they can only be allowed by an exact rule, and why.
import type { Command } from './command.ts'
import { decides, influence } from './environment.ts'
import { codeIn, interpreterOf } from './interpreters.ts'
import { type Risk, risks } from './risks.ts'
import { awkRisk, sedRisk } from './text-tools.ts'
import { nameOf } from './unwrap.ts'

export interface Finding {
  opaque: string | undefined
  unseen: boolean
}

const fine: Finding = { opaque: undefined, unseen: false }

/** The first reason why a command needs an exact rule, wrappers and git left to their own files. */
export function inspect(command: Command): Finding {
  const { words } = command
  const first = words[0]
  const sets = command.sets.map(({ name }) => name)
  // a variable of the shell alone reaches programs when it is in the environment already: such names are upper case
  const set = sets
    .filter((name) => first || decides(name) || !/[a-z]/.test(name))
    .flatMap((name) => influence(name) ?? [])[0]
  if (set) return { opaque: set, unseen: command.unseen || (first !== undefined && sets.some(decides)) }
  if (command.odd) return { opaque: command.odd, unseen: command.unseen }
  if (!first) return { opaque: undefined, unseen: command.unseen }
  if (!first.known || first.glob)
    return { opaque: 'which program it runs is only known at run time', unseen: true }
  const loose = [...words, ...command.writes, ...command.reads].find((word) => !word.known)
  if (loose)
    return { opaque: `${loose.text} is only known at run time`, unseen: command.unseen || mayRun(first.text) }
  const found = risky(words.map((word) => word.text))
  if (found.opaque) return found
  const glob = words.find((word, i) => i > 0 && word.glob && /^[*?[]/.test(word.text))
  if (glob && mayRun(first.text)) return { opaque: `${glob.text} may become an option`, unseen: true }
  return fine
}

/** True for programs with options that run others: an unknown word may be one of those. */
function mayRun(program: string): boolean {
  const name = nameOf({ text: program, known: true, glob: false })
  if (risksOf(name).some((risk) => risk.unseen)) return true
  return /^(?:git|find|fd|fdfind|sed|[gmn]?awk)$/.test(name) || interpreterOf(name) !== undefined
}

function risky(words: readonly string[]): Finding {
  const name = nameOf({ text: words[0] as string, known: true, glob: false })
  if (name === 'sed' || name === 'gsed') return sedRisk(words) ?? fine
  if (/^[gmn]?awk$/.test(name)) return awkRisk(words) ?? fine
  const interpreter = interpreterOf(name)
  const code = interpreter && codeIn(words, interpreter)
  if (code) return { opaque: code, unseen: true }
  for (const risk of risksOf(name)) {
    const why = fits(risk, words)
    if (!why) continue
    return { opaque: `${why === true ? name : `${name} ${why}`}: ${risk.why}`, unseen: risk.unseen === true }
  }
  return fine
}

function risksOf(name: string): readonly Risk[] {
  const own = Object.hasOwn(risks, name) ? risks[name] : undefined
  return own === undefined ? [] : Array.isArray(own) ? own : [own as Risk]
}

/** The word that makes it a risk, or true for any use. */
function fits(risk: Risk, words: readonly string[]): string | true | undefined {
  if (risk.all) return words.length === 2 && /^--(?:version|help)$/.test(words[1] ?? '') ? undefined : true
  const long = risk.long?.split(' ') ?? []
  let operands = 0
  for (const word of words.slice(1)) {
    if (risk.word?.test(word)) return word
    if (word.startsWith('--') && word.length > 2) {
      const name = word.slice(2).split('=')[0] as string
      if (long.some((option) => option.startsWith(name))) return word
    } else if (/^-./.test(word)) {
      if ([...word.slice(1)].some((letter) => risk.short?.includes(letter))) return word
    } else operands++
  }
  return risk.operands !== undefined && operands > risk.operands ? `with ${operands} operands` : undefined
}
