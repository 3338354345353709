// What a study reads: the files below its root, their digest, and what is left out of them.
import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { codeOf, FailureError } from '../../base/errors.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import { contentKind } from '../../base/text/text-encoding.ts'
import { gitFailure, runHardenedGit } from '../../process/git/git.ts'
import type { RunCommand } from '../../process/process-command.ts'
import { findTerms } from '../../text-analysis/terms.ts'
import type { SkippedSource } from '../log/entries.ts'

interface Corpus {
  /**
   * Digest of paths and contents, in hex: equal for equal files on any machine, in a repository or in a plain
   * copy of it. Git is asked for names only, since its own comparison of contents may run programs that a
   * repository names.
   */
  id: string
  files: number
  /** Size of these files. */
  bytes: number
  /** What no tool of a study reads, in the order of paths. */
  skipped: SkippedSource[]
  /** In how many files each of the terms occurs. */
  frequency: Record<string, number>
}

interface SurveyOptions {
  signal?: AbortSignal
  /** Called at the start and often after that, with the files that have been looked at, of how many. */
  show?: (seen: number, all: number) => void
}

/** Larger files are not read by any tool of a study. */
const maxFileBytes = 2 << 20

/** Files that are read before anything else of the process has its turn. */
const filesPerTurn = 100

/**
 * `root` is a real path. Reads every file once. Rejects with FailureError when git does not come to an end
 * there: what would be read instead is not what the person means, and the searches of the study would wait as
 * well.
 */
export async function surveyCorpus(
  root: string,
  terms: readonly string[],
  run: RunCommand | undefined,
  { signal, show }: SurveyOptions = {},
): Promise<Corpus> {
  const listed = (run && (await tracked(root, run, signal))) ?? walk(root, '')
  const names = [...new Set(listed)].sort()
  const skipped: SkippedSource[] = []
  const frequency: Record<string, number> = Object.fromEntries(terms.map((term) => [term, 0]))
  const lines: string[] = []
  let size = 0
  for (const [i, name] of names.entries()) {
    if (i % filesPerTurn === 0) {
      show?.(i, names.length)
      // reading is synchronous: signals, timers and drawings come in between
      await setImmediate(undefined, signal && { signal })
    }
    const bytes = contentOf(root, name, skipped)
    if (!bytes) continue
    size += bytes.length
    lines.push(`${fingerprint(bytes)} ${name}`)
    for (const term of findTerms(bytes.toString('utf8'), terms)) frequency[term] = (frequency[term] ?? 0) + 1
  }
  return { id: fingerprint(lines.join('\n')), files: lines.length, bytes: size, skipped, frequency }
}

/** What git knows or would take in; undefined outside of a repository. */
async function tracked(
  root: string,
  run: RunCommand,
  signal: AbortSignal | undefined,
): Promise<string[] | undefined> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  try {
    const outcome = await runHardenedGit(run, root, args, { keepBytes: 64 << 20, ...(signal && { signal }) })
    const { exit, stdout, ended } = outcome
    if (ended !== undefined) throw gitFailure('ls-files', outcome)
    return exit === 0 && !stdout.cut ? stdout.text.split('\0').filter((name) => name !== '') : undefined
  } catch (error) {
    // there is no git on this machine
    if (error instanceof FailureError && error.failure.code === 'not_found') return undefined
    throw error
  }
}

/** Without git: everything but hidden entries and installed packages. */
function walk(root: string, below: string): string[] {
  return entriesOf(join(root, below)).flatMap((entry) => {
    const name = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.name.startsWith('.') || entry.name === 'node_modules') return []
    if (entry.isDirectory()) return walk(root, name)
    return entry.isFile() || entry.isSymbolicLink() ? [name] : []
  })
}

/** A folder that cannot be read holds nothing that a tool could read. */
function entriesOf(dir: string) {
  try {
    return readdirSync(dir, { withFileTypes: true })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return []
  }
}

/** Undefined for what is no text of bearable size, or has gone. */
function contentOf(root: string, name: string, skipped: SkippedSource[]): Buffer | undefined {
  const path = join(root, name)
  try {
    const stat = lstatSync(path)
    if (stat.isSymbolicLink()) {
      // what it leads to inside of the root is there under its own name
      if (!realpathSync(path).startsWith(root + sep))
        skipped.push({ path: name, why: 'link out of the root' })
      return undefined
    }
    if (!stat.isFile()) return undefined
    if (stat.size > maxFileBytes) {
      skipped.push({ path: name, why: 'over 2 MiB' })
      return undefined
    }
    const bytes = readFileSync(path)
    if (contentKind(bytes) === 'text') return bytes
    skipped.push({ path: name, why: 'binary' })
    return undefined
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}
