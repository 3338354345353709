// The check for options that make a program run other programs or write files, by the table
// of known programs.
import { findProgram, type ProgramEntry } from './program-table.ts'

interface FoundRisk {
  why: string
  /** True if the program may run commands that the line does not contain. */
  unseen: boolean
  /**
   * True if the program sets shell variables. A variable name can contain a subscript with commands, which
   * the shell runs even if the name is in quotes.
   */
  sets: boolean
}

const reasons: Readonly<Record<string, string>> = {
  runs: 'it may run other programs',
  writes: 'it may write files',
  code: 'it runs code',
  edits: 'it is an editor or pager that can start programs',
  shell: 'it changes the shell itself',
  sets: 'it changes the shell itself',
}

/**
 * Returns the risk of a command by its words, of which the first is the name of the program; undefined if the
 * table lists no risk for them.
 */
export function judgeRisk(words: readonly string[]): FoundRisk | undefined {
  const [name = ''] = words
  const program = findProgram('risks', name)
  const kind = program && Object.keys(reasons).find((key) => program.traits.has(key))
  const harmfulWord = program && riskyWord(words, program)
  if (!kind || !harmfulWord) return undefined
  const what = harmfulWord === true ? name : `${name} ${harmfulWord}`
  return {
    why: `${what}: ${reasons[kind]}`,
    unseen: kind !== 'writes' && kind !== 'sets',
    sets: kind === 'sets',
  }
}

/**
 * Returns the first word with which the program may do harm, such as an option that starts other programs.
 * Returns true if every use except a lone `--version` or `--help` may; undefined without such a word.
 */
function riskyWord(words: readonly string[], program: ProgramEntry): string | true | undefined {
  if (program.traits.has('any'))
    return words.length === 2 && /^--(?:version|help)$/.test(words[1] ?? '') ? undefined : true
  const long = [...program.options.keys()].filter((name) => name.startsWith('--'))
  return words.slice(1).find((word) => {
    if (program.patterns.some((pattern) => pattern.test(word))) return true
    // An abbreviation of a long option counts as the option.
    if (word.startsWith('--') && word.length > 2) {
      const name = word.split('=')[0] as string
      return long.some((option) => option.startsWith(name))
    }
    return /^-./.test(word) && [...word.slice(1)].some((letter) => program.options.has(letter))
  })
}
