// The check for git commands that only stage or commit, by the table of known programs.
import { scanWords } from '../programs/option-scan.ts'
import { findProgram, traitWords } from '../programs/program-table.ts'

/**
 * Returns `git add` or `git commit` if the words are such a command; otherwise undefined. None of the options
 * may rewrite a commit, skip a check or open an editor.
 */
export function committingWords(words: readonly string[]): string | undefined {
  const [program, command = '', ...rest] = words
  const name = `git ${command}`
  const entry = program === 'git' ? findProgram('commits', name) : undefined
  const scanned = entry && scanWords(rest, entry)
  if (!entry || !scanned || typeof scanned === 'string') return undefined
  const needs = traitWords(entry, 'needs')
  return needs.length === 0 || needs.some((option) => scanned.optionNames.has(option)) ? name : undefined
}
