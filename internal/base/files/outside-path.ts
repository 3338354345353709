// Relative paths that lead out of the directory at which they start.
import { isAbsolute } from 'node:path'

/**
 * Returns true if a normalized relative path leads out of the directory at which it starts. A name inside can
 * also begin with two dots, such as `..data`.
 */
export const leadsOutside = (path: string): boolean =>
  path === '..' || path.startsWith('../') || isAbsolute(path)
