// The decision whether a command line without a command opens a session or runs one task.

import { execute } from '../execute/index.ts'
import { readStdin } from '../io/streams.ts'
import { asksSessionHelp } from '../refused-line/foreign-words.ts'
import { takesValue } from '../typed-option.ts'
import type { CommandIo, Verb } from '../verb.ts'
import { session } from './index.ts'

/** Flags that always mean a run without a screen. */
const runWords = new Set(['-p', '--print', '-x', '--execute'])

/**
 * Returns a session if standard input and output are a terminal and no word requires a run, such as `-p`.
 * Otherwise returns a run of the `meant` words or, without words, of the piped input; undefined without any
 * task. A line that asks for the help of the session also returns the session.
 */
export async function readBareLine(
  lineWords: readonly string[],
  meant: string[],
  io: CommandIo,
): Promise<{ verb: Verb; words: string[] } | undefined> {
  if (asksSessionHelp(lineWords)) return { verb: session, words: ['--help'] }
  // An empty word may come from an unset variable of a script, so it does not count.
  const words = lineWords.every((word) => word.trim() === '') ? [] : lineWords
  if (await opensSession(words, io)) return { verb: session, words: [...words] }
  if (words.length > 0) return { verb: execute, words: meant }
  const task = io.piped ? (await readStdin(io)).trim() : ''
  return task === '' ? undefined : { verb: execute, words: ['--', task] }
}

/** Returns true if standard input and output are a terminal and no word requires a run without a screen. */
async function opensSession(words: readonly string[], io: CommandIo): Promise<boolean> {
  if (io.stdin.isTTY !== true || !io.stdout.isTTY) return false
  const end = words.indexOf('--')
  const flags = (end < 0 ? words : words.slice(0, end)).filter((word) => /^--?[a-zA-Z]/.test(word))
  if (flags.some((flag) => runWords.has(flag))) return false
  const others = flags.filter((flag) => !isOption(session, flag))
  if (others.length === 0) return true
  // Without words no task can run, so a session opens; it rejects the flag and lists the commands
  // that accept it.
  const hasWords = words.some((word, i) => !/^-./.test(word) && !takesValue(words[i - 1], execute.options))
  return !(hasWords || end >= 0) || !others.some((flag) => isOption(execute, flag))
}

/**
 * Returns true if the verb accepts this flag, also one of all commands or of another program. A flag that no
 * verb accepts opens a session, which rejects the flag.
 */
function isOption({ options, foreignFlags = {} }: Verb, flag: string): boolean {
  const name = flag.replace(/^--?(?:no-)?/, '').split('=', 1)[0] as string
  const flagNames = ['C', 'color', 'help', 'h', ...Object.keys(options), ...Object.keys(foreignFlags)]
  const aliases = Object.values(options).flatMap(({ alias }) => (alias ? [alias] : []))
  return [...flagNames, ...aliases].includes(name)
}
