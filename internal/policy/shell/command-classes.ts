// Classes of harmless commands, which mode `auto` allows: commands that only read, print a version, or only
// test and build.
import { judgeBuilder } from './programs/builders.ts'
import { findProgram } from './programs/program-table.ts'
import { judgeReader, type SearchedFiles } from './programs/readers.ts'
import type { ShellPart } from './shell-part.ts'

export interface CommandClass {
  /**
   * The class. `building` and `version` count only in a trusted workspace, because its files
   * influence what runs.
   */
  class: 'reading' | 'building' | 'version'
  /** Words that may name files. All these files must be in the workspace for the class to count. */
  files: readonly string[]
  /**
   * True if the command runs git, which starts no program only if the settings of the repository are
   * trusted or harmless.
   */
  git: boolean
  /**
   * Which files below the paths in `below` the command prints: all of them, those without a leading dot, or
   * those that git tracks. Undefined if it searches no directory.
   */
  searches: SearchedFiles | undefined
  /**
   * Directories and files that the command searches; `.` if its words name none. For git, some of them
   * may be revisions.
   */
  below: readonly string[]
}

const plain: Omit<CommandClass, 'class'> = { files: [], git: false, searches: undefined, below: [] }

/** Returns the class of a simple command; undefined if the command is not known to be harmless. */
export function classifyPart(part: ShellPart): CommandClass | undefined {
  const [program] = part.words
  if (program === undefined || part.opaque !== undefined || part.unseen || part.known === 0) return undefined
  const commandClass = asksVersion(part.words) ?? classifyWords(part.words)
  return commandClass && { ...commandClass, files: [...commandClass.files, ...part.reads] }
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
