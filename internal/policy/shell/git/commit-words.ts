// Which commands of git only add to what a repository holds, by the table.
import { scanWords } from '../programs/option-scan.ts'
import { findProgram, traitWords } from '../programs/program-table.ts'

/**
 * The words of git that stage or commit, `git add` or `git commit`, where all options are known to rewrite no
 * commit, to skip no check and to open no editor; undefined for everything else.
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
