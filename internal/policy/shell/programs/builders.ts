// The check for commands that only test, build or lint, by the table of known programs.
import { findProgram, isListed, type ProgramEntry, traitWords } from './program-table.ts'

/**
 * Returns the words that may name files, including a program path with a slash. `words` begin with the
 * program. Undefined for a command that is not known to only test, build or lint.
 */
export function judgeBuilder(words: readonly string[]): string[] | undefined {
  const [program = '', ...rest] = words
  const name = localName(program) ?? (program.includes('/') ? undefined : program)
  const builder = name === undefined ? undefined : findProgram('builds', name)
  // A program of this kind is known only for printing its version, so it is not a runner.
  if (!builder || (builder.traits.has('version') && builder.traits.size === 1)) return undefined
  const files = readWords(rest, builder)
  return files && (program.includes('/') ? [program, ...files] : files)
}

function readWords(words: readonly string[], builder: ProgramEntry): string[] | undefined {
  const length = purposeOf(words, builder)
  if (length === undefined) return undefined
  const needs = traitWords(builder, 'needs')
  if (needs.length > 0 && !words.some((word) => needs.includes(word))) return undefined
  const files: string[] = []
  for (const word of words.slice(length)) {
    if (word === '--') continue
    const option = /^--?([^=]+)(?:=(.*))?$/s.exec(word)
    if (option?.[1] !== undefined) {
      const digits = option[1].replace(/\d+$/, '')
      const names = [option[1], digits, word.replace(/^--?/, '')]
      if (!names.some((name) => isFlag(builder, name))) return undefined
      if (option[2]) files.push(option[2])
    } else if (!isOperand(word, builder)) return undefined
    else files.push(word)
  }
  return files
}

/**
 * Returns how many of the first words name the task of the runner, such as `test` or `run lint`; 0 for a
 * runner that needs no such word. Undefined for a task that is not known to only test, build or lint.
 */
function purposeOf(words: readonly string[], builder: ProgramEntry): number | undefined {
  if (builder.traits.has('script')) {
    const at = /^run(?:-script)?$/.test(words[0] ?? '') ? 1 : 0
    return isListed('script names', words[at] ?? '') ? at + 1 : undefined
  }
  const does = traitWords(builder, 'does')
  if (does.length === 0) return 0
  const subcommand = does.find((one) => one.split('+').every((word, i) => words[i] === word))
  return subcommand?.split('+').length
}

function isFlag(builder: ProgramEntry, name: string): boolean {
  const [key = '', value] = name.split('=')
  const traitValue = builder.traits.get(key)
  return value === undefined ? traitValue === '' && !/^(?:script|version)$/.test(key) : traitValue === value
}

function isOperand(word: string, builder: ProgramEntry): boolean {
  const allowed = builder.traits.get('operand')
  if (allowed === undefined) return true
  if (allowed === 'target') return isListed('target names', word)
  const pattern = /^\/(.*)\/$/s.exec(allowed)?.[1]
  return pattern === undefined ? allowed.split(',').includes(word) : new RegExp(pattern).test(word)
}

/**
 * Returns the name of a runner from its path in the workspace: a listed one such as `./gradlew`, or any name
 * in `node_modules/.bin`. Undefined for other paths.
 */
export function localName(program: string): string | undefined {
  const shipped = /^\.\/(\w+)$/.exec(program)?.[1]
  if (shipped !== undefined && isListed('shipped runners', shipped)) return shipped
  return /^(?:\.\/)?node_modules\/\.bin\/([\w-]+)$/.exec(program)?.[1]
}
