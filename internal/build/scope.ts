// The paths that a task may change, and the question whether two tasks may run at the same time.
import { literalPath, pathFits } from '../policy/rules/rule-pattern.ts'
import { globsOverlap } from './glob-overlap.ts'

/** Returns true if one of the globs matches the path. */
export const isInScope = (globs: readonly string[], path: string): boolean =>
  globs.some((glob) => pathFits(glob, path, false))

/**
 * Returns true if both scopes contain the same file, one of `files` or a new one. Tasks with such scopes
 * never run at the same time.
 */
export function scopesOverlap(
  first: readonly string[],
  second: readonly string[],
  files: readonly string[],
): boolean {
  if (files.some((path) => isInScope(first, path) && isInScope(second, path))) return true
  return first.some((one) => second.some((other) => globsOverlap(one, other)))
}

/** Returns true if a glob matches one of the files, or is the plain path of a new file. */
export const namesFiles = (glob: string, files: readonly string[]): boolean =>
  literalPath(glob) !== undefined || files.some((path) => pathFits(glob, path, false))
