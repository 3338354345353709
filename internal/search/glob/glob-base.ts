// Splitter of a pattern that names a directory outside of the searched one into that directory and a
// pattern below it.
import { isAbsolute } from 'node:path'

/**
 * Returns the directory to search and the pattern below it. An absolute pattern, or one with `..` before any
 * wildcard, is split after its literal beginning. Any other pattern stays whole, because ignore files apply
 * to a directory in a pattern but not to a directory that was passed as `path`.
 */
export function rebaseGlob(pattern: string, path: string): { path: string; pattern: string } {
  const parts = pattern.split('/')
  const up = parts.lastIndexOf('..')
  if (!isAbsolute(pattern) && up === -1) return { path, pattern }
  const literal = parts.findIndex((part) => /[*?[{\\]/.test(part))
  // The last component is always a pattern for files, even if it contains no wildcard.
  const end = Math.min(literal === -1 ? parts.length : literal, parts.length - 1)
  if (up >= end) return { path, pattern }
  const base = parts.slice(0, end).join('/') || '/'
  return {
    path: isAbsolute(pattern) || path === '.' ? base : `${path}/${base}`,
    pattern: parts.slice(end).join('/'),
  }
}
