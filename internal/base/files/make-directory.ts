// Directories that the program makes: private ones, and temporary ones that are removed.
import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { codeOf } from '../errors.ts'
import { createUlid } from '../ids.ts'

/**
 * Largest number of attempts, because other processes may remove parents meanwhile. The error of the
 * last is thrown.
 */
const maxAttempts = 5

/**
 * Creates a directory and its missing parents, each with `mode`. Returns the outermost created one, or
 * undefined if all existed. Throws the system error of the one that cannot be created. Node's own
 * recursive mkdir never ends on a file system that answers ENOENT although the parent exists, as /proc and
 * some automounters do.
 */
export function makeDirectory(path: string, mode = 0o777): string | undefined {
  const target = resolve(path)
  for (let attempt = 1; ; attempt++) {
    try {
      return makeOnce(target, mode)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || attempt === maxAttempts) throw error
    }
  }
}

function makeOnce(target: string, mode: number): string | undefined {
  const missing: string[] = []
  let made: string | undefined
  for (let dir = target; ; dir = dirname(dir)) {
    try {
      made = makeOne(dir, mode) ? dir : undefined
      break
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || dir === dirname(dir)) throw error
      missing.push(dir)
    }
  }
  for (const dir of missing.reverse()) if (makeOne(dir, mode)) made ??= dir
  return made
}

/**
 * Returns true if the directory was created, false if a directory or a link to one exists at its path. Throws
 * the system error otherwise.
 */
function makeOne(dir: string, mode: number): boolean {
  try {
    mkdirSync(dir, { mode })
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || !isDirectory(dir)) throw error
    return false
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

let temporary: string | undefined

/**
 * Returns the directory for temporary files of commands without a sandbox, which belongs to this process. Its
 * path has no links, and it may not exist yet. Undefined if the temporary directory of the system is missing.
 */
export function temporaryDir(): string | undefined {
  try {
    // `tmpdir` of node:os returns the same directory, but loading that module takes time
    temporary ??= join(realpathSync.native(process.env.TMPDIR || '/tmp'), `anode-${createUlid()}`)
  } catch {
    // the temporary directory does not exist, so commands keep TMPDIR as their environment sets it
  }
  return temporary
}
