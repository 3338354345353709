// The split of a pattern that leads out of the searched directory, into a directory and a pattern below it.
import { isAbsolute } from 'node:path'

/**
 * Returns the directory to search and the pattern below it. An absolute pattern, and a pattern with `..`, are
 * split after their literal beginning. All others stay whole: ignore files apply to a directory named in a
 * pattern, but not to a directory named as `path`.
 */
export function rebaseGlob(pattern: string, path: string): { path: string; pattern: string } {
  const parts = pattern.split('/')
  const up = parts.lastIndexOf('..')
  if (!isAbsolute(pattern) && up === -1) return { path, pattern }
  const literal = parts.findIndex((part) => /[*?[{\\]/.test(part))
  // the last part is a pattern for files even when it is a plain name
  const end = Math.min(literal === -1 ? parts.length : literal, parts.length - 1)
  if (up >= end) return { path, pattern }
  const base = parts.slice(0, end).join('/') || '/'
  return {
    path: isAbsolute(pattern) || path === '.' ? base : `${path}/${base}`,
    pattern: parts.slice(end).join('/'),
  }
}
