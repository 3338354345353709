// Descriptions that programs print about themselves, with a cache of the valid ones. A program is asked again
// if it has changed or its last description was not valid.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, FailureError, messageOf, UserError } from '../base/errors.ts'
import { writeAtomic } from '../base/files/atomic-write.ts'
import { makeDirectory } from '../base/files/make-directory.ts'
import { isObject } from '../base/untrusted-json.ts'

export interface ToolboxProgram {
  path: string
  /** Directory in which the program was found. */
  dir: string
  size: number
  mtime: number
}

/** Result of one program: a value made from its description, or the reason why the program is unusable. */
type DescribedProgram<T> = { kind: 'usable'; made: T } | { kind: 'unusable'; why: string }

interface DescriptionParts<P, T> {
  /** Directory of the cache file `NAME.json`; created if missing. */
  cacheDir: string
  name: string
  /**
   * Asks the program for its description. Rejects with UserError or FailureError for an error of the program.
   */
  describe(program: P): Promise<unknown>
  /** Creates the value from a program's description. Throws UserError for an invalid description. */
  make(program: P, described: unknown): T
}

interface KnownProgram extends Pick<ToolboxProgram, 'size' | 'mtime'> {
  described: unknown
}

type ProgramCache = Record<string, KnownProgram>

/** Largest number of programs that are asked concurrently. */
const maxParallelPrograms = 4
/** Largest number of stored descriptions. Above it, the descriptions that were added first are removed. */
const maxCachedPrograms = 500

/**
 * Returns the result for each program, in order. Asks only programs that are new, have changed, or
 * were unusable before. An error in a program makes it unusable; a cache that cannot be written
 * becomes a diagnostic.
 */
export async function describePrograms<P extends ToolboxProgram, T>(
  programs: readonly P[],
  { cacheDir, name, describe, make }: DescriptionParts<P, T>,
  diagnostics: string[],
): Promise<DescribedProgram<T>[]> {
  const file = join(cacheDir, `${name}.json`)
  const cache = await readCache(file)
  const fresh: ProgramCache = {}
  const all = await inTurn(programs, async (program): Promise<DescribedProgram<T>> => {
    const { path, size, mtime } = program
    try {
      const cachedProgram = cache[path]
      const same = cachedProgram?.size === size && cachedProgram.mtime === mtime
      const described = same ? cachedProgram.described : await describe(program)
      const result = make(program, described)
      if (!same) fresh[path] = { size, mtime, described }
      return { kind: 'usable', made: result }
    } catch (error) {
      return { kind: 'unusable', why: `${path}: ${reasonOf(error)}` }
    }
  })
  if (Object.keys(fresh).length > 0) await writeCache(cacheDir, file, { ...cache, ...fresh }, diagnostics)
  return all
}

/** Applies a function to all items, with at most `maxParallelPrograms` in progress. */
async function inTurn<T, R>(items: readonly T[], each: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    for (let i = next++; i < items.length; i = next++) results[i] = await each(items[i] as T)
  }
  await Promise.all(Array.from({ length: Math.min(maxParallelPrograms, items.length) }, worker))
  return results
}

/**
 * Returns the message of an error that the user or the system has caused. Throws any other error, which
 * is a bug.
 */
function reasonOf(error: unknown): string {
  const isExpected =
    error instanceof UserError || error instanceof FailureError || codeOf(error) !== undefined
  if (!isExpected) throw error
  return messageOf(error)
}

/**
 * Returns the cached descriptions; empty if the file is missing or invalid, because all descriptions can
 * be requested again.
 */
async function readCache(file: string): Promise<ProgramCache> {
  const text = await readFile(file, 'utf8').catch(() => '{}')
  try {
    const value: unknown = JSON.parse(text)
    const programs = isObject(value) && value.version === 1 ? value.programs : undefined
    return isObject(programs)
      ? (Object.fromEntries(Object.entries(programs).filter(isKnown)) as ProgramCache)
      : {}
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return {}
  }
}

function isKnown([, entry]: [string, unknown]): boolean {
  return isObject(entry) && typeof entry.size === 'number' && typeof entry.mtime === 'number'
}

async function writeCache(
  cacheDir: string,
  file: string,
  cache: ProgramCache,
  diagnostics: string[],
): Promise<void> {
  const programs = Object.fromEntries(Object.entries(cache).slice(-maxCachedPrograms))
  try {
    makeDirectory(cacheDir)
    await writeAtomic(file, Buffer.from(JSON.stringify({ version: 1, programs })), { mode: 0o600 })
  } catch (error) {
    diagnostics.push(`${file}: descriptions cannot be kept (${reasonOf(error)})`)
  }
}
