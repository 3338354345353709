// The check for programs that run code from their words or from standard input, by the table
// of known programs.
import { findProgram, type ProgramEntry, traitWords } from './program-table.ts'

/**
 * Returns the table entry of an interpreter; undefined for other programs. Version suffixes (`python3.12`,
 * `lua5.4`, `php8.2`) are ignored.
 */
export function interpreterOf(program: string): ProgramEntry | undefined {
  return findProgram('interprets', program) ?? findProgram('interprets', program.replace(/-?\d[\d.]*$/, ''))
}

/**
 * Returns why these words (the program first) run code that is not in a file: code in an option, or from
 * standard input. Otherwise undefined, also for options such as `--version`.
 */
export function codeIn(words: readonly string[], table: ProgramEntry): string | undefined {
  const codes = [...table.options].filter(([, marks]) => marks === '!').map(([name]) => name)
  const idle = traitWords(table, 'idle')
  const rests = (word: string) => idle.includes(word) || (idle.includes('*') && /^\w/.test(word))
  for (let i = 1; i < words.length; i++) {
    const word = words[i] as string
    if (word === '-') return 'it runs code from standard input'
    if (word === '--') return i + 1 < words.length ? undefined : 'it runs code from standard input'
    if (word.startsWith('--')) {
      const name = word.split('=')[0] as string
      // An abbreviation of the option, of at least two letters, counts as the option.
      if (codes.some((option) => option === name || (name.length > 3 && option.startsWith(name))))
        return `${name} runs code`
      if (rests(word)) return undefined
      continue
    }
    if (!/^-./.test(word) || rests(word)) return undefined
    for (const letter of word.slice(1)) {
      const marks = table.options.get(letter)
      if (marks === '!') return `-${letter} runs code given on the line`
      if (marks === '.') return undefined
      if (marks === ':') {
        if (word.endsWith(letter)) i++
        break
      }
    }
  }
  return 'it runs code from standard input'
}
