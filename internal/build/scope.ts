// The paths that a task may change, and the question whether two tasks may run at the same time.
import { literalPath, pathFits } from '../policy/rules/rule-match.ts'
import { globsOverlap } from './glob-overlap.ts'

/** Returns true if one of the globs matches the path. */
export const isInScope = (globs: readonly string[], path: string): boolean =>
  globs.some((glob) => pathFits(glob, path, false))

/**
 * Returns true if both scopes can contain the same file, an existing one or a new one. Tasks with such scopes
 * never run at the same time. A file may also have the text of a glob as its name.
 */
export const scopesOverlap = (first: readonly string[], second: readonly string[]): boolean =>
  first.some((one) => second.some((other) => globsOverlap(one, other))) ||
  first.some((one) => isInScope(second, one)) ||
  second.some((one) => isInScope(first, one))

/**
 * Returns true if a glob matches one of the files, or has no wildcard, because such a path may be a new file.
 */
export const namesFiles = (glob: string, files: readonly string[]): boolean =>
  literalPath(glob) !== undefined || files.some((path) => pathFits(glob, path, false))
