// Glob patterns over relative paths: `*`, `?`, `[…]`, `{a,b}`, `**`, a leading `!`; no regular expression
// behind it.
import type { ByteName } from '../byte-name.ts'
import { literalIn, type PathPattern, pathMatches, readPath } from './path-pattern.ts'

export interface Glob {
  readonly source: string
  /** Whether a path relative to the searched directory is meant. */
  test(path: ByteName): boolean
  /**
   * Globs that every matching base name satisfies, plain enough for other programs; undefined when unknown.
   */
  readonly basenames: readonly string[] | undefined
  /** True when those are all there is to it: a file matches if its base name does. */
  readonly byBasename: boolean
  /** True when a segment of the pattern itself begins with a dot. */
  readonly dotted: boolean
}

const maxAlternatives = 512
const maxLength = 2_000

/**
 * Compiles a pattern. `anywhere`: a pattern without a slash matches base names at any depth, as filters do.
 * Throws SyntaxError with a reason for a pattern that cannot be read.
 */
export function compileGlob(source: string, anywhere = false): Glob {
  if (source.length > maxLength) throw new SyntaxError(`a pattern has at most ${maxLength} characters`)
  const not = source.startsWith('!')
  const bare = not ? source.slice(1) : source
  const paths = expand(bare).map((text) => normalise(text, anywhere))
  const alternatives = paths.map((path) => {
    const read: PathPattern = readPath(path)
    return { read, literal: literalIn(read) }
  })
  const suffixes = paths.map(plainSuffix)
  const positive = suffixes.every((suffix) => suffix !== undefined)
    ? (path: ByteName) => suffixes.some((suffix) => path.endsWith(suffix))
    : (path: ByteName) =>
        alternatives.some(({ read, literal }) => path.includes(literal) && pathMatches(read, path))
  const basenames = not ? undefined : plainBasenames(paths)
  return {
    source,
    test: not ? (path) => !positive(path) : positive,
    basenames,
    byBasename: basenames !== undefined && paths.every((path) => /^\*\*\/[^/]+$/.test(path)),
    dotted: paths.some((path) => path.split('/').some((part) => part.startsWith('.'))),
  }
}

/** Writes out the alternatives of all braces, nested ones too. */
function expand(source: string): string[] {
  const open = find(source, '{', 0)
  if (open === -1) {
    if (find(source, '}', 0) !== -1) throw new SyntaxError('} without {; write \\} for a brace itself')
    return [source]
  }
  const cuts = [open]
  let depth = 0
  let close = -1
  for (let at = open; at < source.length && close === -1; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === '[') at = Math.max(at, source.indexOf(']', at + 2))
    else if (source[at] === '{') depth++
    else if (source[at] === ',' && depth === 1) cuts.push(at)
    else if (source[at] === '}' && --depth === 0) close = at
  }
  if (close === -1) throw new SyntaxError('{ is never closed; write \\{ for a brace itself')
  cuts.push(close)
  const tails = expand(source.slice(close + 1))
  const out: string[] = []
  for (let i = 1; i < cuts.length; i++) {
    for (const middle of expand(source.slice((cuts[i - 1] as number) + 1, cuts[i]))) {
      for (const tail of tails) out.push(source.slice(0, open) + middle + tail)
      if (out.length > maxAlternatives)
        throw new SyntaxError(`braces give more than ${maxAlternatives} patterns`)
    }
  }
  return out
}

/** Position of an unescaped character outside of brackets, or -1. */
function find(source: string, wanted: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === wanted) return at
    else if (source[at] === '[') at = Math.max(at, source.indexOf(']', at + 2))
  }
  return -1
}

/** Drops `../` and doubled slashes; a trailing slash means everything below. */
function normalise(path: string, anywhere: boolean): string {
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  if (path.endsWith('/') && names.length > 0) names.push('**')
  if (names.length === 0) throw new SyntaxError('it names nothing; use ** for everything')
  if (names.includes('..')) throw new SyntaxError('.. can only stand at the beginning')
  const plain = anywhere && !path.includes('/')
  return (plain ? ['**', ...names] : names).join('/')
}

/** `.ts` for a path like `**` + `/*.ts`: the commonest pattern, decided by one comparison. */
function plainSuffix(path: string): string | undefined {
  return /^(?:\*\*\/)+\*([\w.-]*)$/.exec(path)?.[1]
}

/** What ends in a dot is left to us: ripgrep's type filter does not see names that do. */
function plainBasenames(paths: readonly string[]): string[] | undefined {
  const names = new Set(paths.map((path) => path.slice(path.lastIndexOf('/') + 1)))
  const plain = [...names].every((name) => /^[\w.*?-]*[\w-]$/.test(name))
  return plain && names.size <= 32 ? [...names] : undefined
}
