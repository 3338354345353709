// Creation of directories with their parents that never hangs, on any file system.
import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { codeOf } from '../errors.ts'

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
  let createdDir: string | undefined
  for (let dir = target; ; dir = dirname(dir)) {
    try {
      createdDir = makeOne(dir, mode) ? dir : undefined
      break
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || dir === dirname(dir)) throw error
      missing.push(dir)
    }
  }
  for (const dir of missing.reverse()) if (makeOne(dir, mode)) createdDir ??= dir
  return createdDir
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
