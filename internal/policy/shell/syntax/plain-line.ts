// Lines that need no grammar: plain words, no operator, quote or expansion.
import { plainWord, type ScriptReading, simpleCommand } from './simple-command.ts'

/** Words that mean something to the shell where a command begins. */
export const reservedWords: ReadonlySet<string> = new Set([
  ...['if', 'then', 'elif', 'else', 'fi', 'for', 'while', 'until', 'do', 'done', 'case', 'esac', 'in'],
  ...['select', 'function', 'time', 'coproc', '{', '}', '!', '[[', ']]'],
])

/**
 * None of these characters means anything to the shell outside of the first word; see `readPlainLine` for
 * that one.
 */
const WORDS = /^[ \t]*[\w./:@%+,=-]+(?:[ \t]+[\w./:@%+,=-]+)*[ \t]*$/

/** Longer lines are left to the grammar, which has a limit of its own. */
const maxWords = 1_000

/** The command of a line of plain words, or undefined when the grammar must read it. */
export function readPlainLine(line: string): ScriptReading | undefined {
  if (!WORDS.test(line)) return undefined
  const words = line.trim().split(/[ \t]+/)
  if (words.length > maxWords) return undefined
  const first = words[0] as string
  if (first.includes('=') || reservedWords.has(first)) return undefined
  return { commands: [simpleCommand(words.map(plainWord))], scripts: [], doubt: undefined }
}
