// A pattern of whole paths: segments, and `**` for any number of directories.
import type { ByteName } from '../byte-name.ts'
import { type GlobSegment, matchSegment, parseSegment } from './glob-segment.ts'

/** A part of a path pattern. `globstar` is `**`. */
type PatternPart = GlobSegment | 'globstar'
export type PathPattern = readonly PatternPart[]

/**
 * Parses a pattern without braces. `fold`: letter case does not count. Throws
 * SyntaxError like `parseSegment`.
 */
export function readPath(path: string, fold = false): PathPattern {
  const out: PatternPart[] = []
  for (const name of path.split('/')) {
    if (name !== '**') out.push(parseSegment(name, fold))
    else if (out.at(-1) !== 'globstar') out.push('globstar')
  }
  // a pattern that ends in ** matches the content of the directory, not the directory itself
  if (out.at(-1) === 'globstar') out.push([{ kind: 'star' }])
  return out
}

/**
 * Returns the longest literal text within a segment, which every matching path contains; empty without any. A
 * search for it is far cheaper than matching.
 */
export function literalIn(pattern: PathPattern): ByteName {
  const tokens = pattern.flatMap((part) => (part === 'globstar' ? [] : part))
  const texts = tokens.map((token) => (token.kind === 'text' ? token.text : ''))
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '')
}

/**
 * Returns true if the pattern matches the whole path. As within a segment, only the last `**` is tried again.
 */
export function pathMatches(pattern: PathPattern, path: ByteName): boolean {
  let part = 0
  let at = 0
  let deep = -1
  let mark = 0
  while (at <= path.length || part < pattern.length) {
    const current = pattern[part]
    if (current === 'globstar') {
      deep = part++
      mark = at
      continue
    }
    const end = at > path.length ? -1 : endOf(path, at)
    if (current && end !== -1 && matchSegment(current, path, at, end)) {
      part++
      at = end + 1
    } else if (deep >= 0 && mark <= path.length) {
      mark = endOf(path, mark) + 1
      at = mark
      part = deep + 1
    } else {
      return false
    }
  }
  return true
}

function endOf(path: ByteName, from: number): number {
  const end = path.indexOf('/', from)
  return end === -1 ? path.length : end
}
