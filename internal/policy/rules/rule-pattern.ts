// The two pattern languages of rules: simple wildcards for names, path globs for files.
import { messageOf, UserError } from '../../base/errors.ts'
import { bytesOfText } from '../../base/text/byte-name.ts'
import { escapeGlob, readGlob } from '../../base/text/glob/glob-grammar.ts'
import { pathMatches, readPath } from '../../base/text/glob/path-pattern.ts'

export { escapeGlob }

const compiled = new Map<string, (text: string) => boolean>()

/**
 * Returns true if `text` matches a pattern. `*` matches any number of characters, also slashes, and
 * `?` matches one.
 */
export function matchWildcard(pattern: string, text: string): boolean {
  let p = 0
  let t = 0
  let star = -1
  let mark = 0
  while (t < text.length) {
    const c = pattern[p]
    if (c === '*') {
      star = p++
      mark = t
    } else if (c !== undefined && (c === '?' || c === text[t])) {
      p++
      t++
    } else if (star >= 0) {
      p = star + 1
      t = ++mark
    } else return false
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}

/** Returns the only path that a path pattern matches, without escapes; undefined for a glob. */
export function literalPath(pattern: string): string | undefined {
  return /^(?:[^*?[\]{}()|\\]|\\.)*$/s.test(pattern) ? pattern.replace(/\\(.)/gs, '$1') : undefined
}

/** Returns why a pattern is not a valid path glob; undefined for a valid one. */
export function globFault(pattern: string): string | undefined {
  try {
    readGlob(pattern)
    return undefined
  } catch (error) {
    return `${JSON.stringify(pattern)} is not a path pattern: ${messageOf(error)}`
  }
}

/**
 * Returns true if a path matches a path glob: `*` within one component, `**` across, `[…]`, `{a,b}`, dot
 * files included. A path with the same text as the pattern matches too. `fold`: letter case does not count.
 * Throws UserError for an invalid pattern. The time is at most proportional to the product of both lengths.
 */
export function pathFits(pattern: string, path: string, fold: boolean): boolean {
  const key = `${fold ? 'i' : 's'}${pattern}`
  let fits = compiled.get(key)
  if (!fits) {
    fits = compileGlob(pattern, fold)
    if (compiled.size > 1_000) compiled.clear()
    compiled.set(key, fits)
  }
  return fits(path)
}

function compileGlob(pattern: string, fold: boolean): (path: string) => boolean {
  const fault = globFault(pattern)
  if (fault) throw new UserError(fault)
  const { paths, literal, below } = readGlob(pattern)
  const folded = (path: string) => (fold ? path.toLowerCase() : path)
  if (literal !== undefined) {
    const wanted = folded(literal)
    return (path) => (below ? folded(path).startsWith(`${wanted}/`) : folded(path) === wanted)
  }
  const all = paths.map(({ text }) => readPath(text, fold))
  return (path) => {
    const name = bytesOfText(folded(path))
    // A file may have the text of the pattern as its name, such as app/[id]/page.tsx.
    return path === pattern || all.some((one) => pathMatches(one, name))
  }
}
