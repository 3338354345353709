// The git commands that only add to a repository, from the table.
import { scanWords } from '../programs/option-scan.ts'
import { findProgram, traitWords } from '../programs/program-table.ts'

/**
 * Returns the words of git that stage or commit, `git add` or `git commit`; undefined for other commands. All
 * options must be known not to rewrite a commit, skip a check or open an editor.
 */
export function committingWords(words: readonly string[]): string | undefined {
  const [program, command = '', ...rest] = words
  const name = `git ${command}`
  const found = program === 'git' ? findProgram('commits', name) : undefined
  const scanned = found && scanWords(rest, found)
  if (!found || !scanned || typeof scanned === 'string') return undefined
  const needs = traitWords(found, 'needs')
  return needs.length === 0 || needs.some((option) => scanned.optionNames.has(option)) ? name : undefined
}
