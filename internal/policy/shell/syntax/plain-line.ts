// The reader of simple command lines: plain words without operators, quotes or expansions, for which the
// grammar is not needed.
import { plainWord, type ScriptReading, simpleCommand } from './simple-command.ts'

/** Words that the shell takes as keywords at the beginning of a command. */
export const reservedWords: ReadonlySet<string> = new Set([
  ...['if', 'then', 'elif', 'else', 'fi', 'for', 'while', 'until', 'do', 'done', 'case', 'esac', 'in'],
  ...['select', 'function', 'time', 'coproc', '{', '}', '!', '[[', ']]'],
])

/**
 * Matches lines whose characters have no special meaning to the shell after the first word; `readPlainLine`
 * checks the first word.
 */
const WORDS = /^[ \t]*[\w./:@%+,=-]+(?:[ \t]+[\w./:@%+,=-]+)*[ \t]*$/

/**
 * Largest number of words of a plain line. A line with more is parsed by the grammar, which has a limit too.
 */
const maxWords = 1_000

/** Returns the command of a line of plain words; undefined if the grammar must read it. */
export function readPlainLine(line: string): ScriptReading | undefined {
  if (!WORDS.test(line)) return undefined
  const words = line.trim().split(/[ \t]+/)
  if (words.length > maxWords) return undefined
  const first = words[0] as string
  if (first.includes('=') || reservedWords.has(first)) return undefined
  return { commands: [simpleCommand(words.map(plainWord))], scripts: [], doubt: undefined }
}
