// The command classes of mode `auto`: is a command known to only read, to tell a version, or to only test and
// build?
import { judgeBuilder } from './programs/builders.ts'
import { findProgram } from './programs/program-table.ts'
import { judgeReader, type SearchedFiles } from './programs/readers.ts'
import type { ShellPart } from './shell-part.ts'

export interface CommandClass {
  /** `building` and `version` count only in a trusted workspace: the folder has a say in what runs. */
  class: 'reading' | 'building' | 'version'
  /** Words that may name files; all of them must lie in the workspace. */
  files: readonly string[]
  /**
   * It is git: reads without running anything only where the repository's settings are trusted or harmless.
   */
  git: boolean
  /**
   * It prints what lies below `below`: all of it, or without names that begin with a dot, or what git has
   * tracked.
   */
  searches: SearchedFiles | undefined
  /** Folders and files, `.` where its words name none; of git some may be revisions. */
  below: readonly string[]
}

const plain: Omit<CommandClass, 'class'> = { files: [], git: false, searches: undefined, below: [] }

/** The class of a part, or undefined for what is not known to be harmless. */
export function classifyPart(part: ShellPart): CommandClass | undefined {
  const [program] = part.words
  if (program === undefined || part.opaque !== undefined || part.unseen || part.known === 0) return undefined
  const found = asksVersion(part.words) ?? classifyWords(part.words)
  return found && { ...found, files: [...found.files, ...part.reads] }
}

function classifyWords(words: readonly string[]): CommandClass | undefined {
  const read = judgeReader(words)
  if (read && !('odd' in read)) {
    const { files, searches, below } = read
    return { class: 'reading', files, git: words[0] === 'git', searches, below }
  }
  const files = judgeBuilder(words)
  return files && { ...plain, class: 'building', files }
}

function asksVersion(words: readonly string[]): CommandClass | undefined {
  const [program = '', question = ''] = words
  if (words.length !== 2 || !/^(?:--version|-v|-V|version)$/.test(question)) return undefined
  if (findProgram('version', program)) return { ...plain, class: 'version' }
  return findProgram('builds', program)?.traits.has('version') ? { ...plain, class: 'building' } : undefined
}
