// Moves the literal beginning of a pattern into the folder to search, where the pattern leads out of it.
import { isAbsolute } from 'node:path'

/**
 * An absolute pattern, and one with `..`, are taken apart into the folder they begin in and the rest; all
 * others stay whole, because a folder named in a pattern, unlike one named as path, may be an ignored one.
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
