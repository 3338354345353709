// Glob patterns for searches, which match relative paths. A leading `!` reverses a pattern.

import type { ByteName } from '../../base/text/byte-name.ts'
import { readGlob } from '../../base/text/glob/glob-grammar.ts'
import { literalIn, type PathPattern, pathMatches, readPath } from '../../base/text/glob/path-pattern.ts'

export interface Glob {
  readonly source: string
  /** Returns true if the pattern matches a path, which is relative to the searched directory. */
  test(path: ByteName): boolean
  /**
   * Simple globs for file names, in a form that ripgrep supports too. The name of every matching file matches
   * one of them. Undefined if the pattern has no such globs.
   */
  readonly basenames: readonly string[] | undefined
  /** True if `basenames` alone decide: each file whose name matches one of them matches the pattern. */
  readonly byBasename: boolean
  /**
   * True if a part of the pattern begins with a dot. The search then includes hidden files, unless `source`
   * begins with `!`.
   */
  readonly dotted: boolean
}

/**
 * Compiles a pattern. After a leading `!`, the glob matches the paths that the rest does not match.
 * `anywhere`: a pattern without a slash matches file names at any depth, as in filters. Throws SyntaxError
 * with a reason for a pattern that cannot be parsed.
 */
export function compileGlob(source: string, anywhere = false): Glob {
  const not = source.startsWith('!')
  const read = readGlob(not ? source.slice(1) : source, true)
  const paths = read.paths.map(({ text, isTied }) => (anywhere && !isTied ? `**/${text}` : text))
  const alternatives = paths.map((path) => {
    const pathPattern: PathPattern = readPath(path)
    return { wanted: pathPattern, literal: literalIn(pathPattern) }
  })
  const suffixes = paths.map(plainSuffix)
  const positive = suffixes.every((suffix) => suffix !== undefined)
    ? (path: ByteName) => suffixes.some((suffix) => path.endsWith(suffix))
    : (path: ByteName) =>
        alternatives.some(
          ({ wanted: pathPattern, literal }) => path.includes(literal) && pathMatches(pathPattern, path),
        )
  const basenames = not ? undefined : plainBasenames(paths)
  return {
    source,
    test: not ? (path) => !positive(path) : positive,
    basenames,
    byBasename: basenames !== undefined && paths.every((path) => /^\*\*\/[^/]+$/.test(path)),
    dotted: paths.some((path) => path.split('/').some((part) => part.startsWith('.'))),
  }
}

/**
 * Returns `.ts` for a pattern like `**` + `/*.ts`; undefined for any other pattern. Such patterns are the
 * most frequent, and one comparison decides them.
 */
function plainSuffix(path: string): string | undefined {
  return /^(?:\*\*\/)+\*([\w.-]*)$/.exec(path)?.[1]
}

/**
 * Returns the patterns of file names. Undefined if there are more than 32, or if one has other characters
 * than ASCII letters, digits and `_-.*?`. Also undefined if one may end in a dot, because ripgrep's type
 * filter does not find such names.
 */
function plainBasenames(paths: readonly string[]): string[] | undefined {
  const names = new Set(paths.map((path) => path.slice(path.lastIndexOf('/') + 1)))
  const plain = [...names].every((name) => /^[\w.*?-]*[\w-]$/.test(name))
  return plain && names.size <= 32 ? [...names] : undefined
}
