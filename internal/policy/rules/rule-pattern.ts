// The two pattern languages of rules: simple wildcards for names, path globs for files.
import { messageOf, UserError } from '../../base/errors.ts'
import { escapeGlob, readGlob } from '../../base/text/glob-grammar.ts'

export { escapeGlob }

type Compile = (pattern: string, options: object) => (text: string) => boolean

let compile: Compile | undefined
const compiled = new Map<string, (text: string) => boolean>()

/**
 * Whether `text` fits a pattern in which `*` stands for any run of characters (slashes too) and `?` for one.
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

/** The one path that a path pattern stands for, escapes removed, or undefined when it is a glob. */
export function literalPath(pattern: string): string | undefined {
  return /^(?:[^*?[\]{}()|\\]|\\.)*$/s.test(pattern) ? pattern.replace(/\\(.)/gs, '$1') : undefined
}

/** Why a pattern cannot be read as a path glob, or undefined where it can. */
export function globFault(pattern: string): string | undefined {
  try {
    readGlob(pattern)
    return undefined
  } catch (error) {
    return `${JSON.stringify(pattern)} is not a path pattern: ${messageOf(error)}`
  }
}

/** Loads the engine for path globs if one of the patterns needs it. Must have resolved before `pathFits`. */
export async function loadGlobEngine(patterns: Iterable<string>): Promise<void> {
  if (compile) return
  for (const pattern of patterns) {
    if (literalPath(pattern) !== undefined) continue
    const loaded = await import('picomatch')
    compile = (loaded as unknown as { default: Compile }).default
    return
  }
}

/** The grammar has read the patterns: what is special in them is meant so. */
const options = {
  dot: true,
  nonegate: true,
  strictSlashes: true,
  literalBrackets: false,
  nobrace: true,
  posix: false,
}

/**
 * Whether a path fits a path glob: `*` within one component, `**` across, `[…]`, `{a,b}`, dot files included.
 * Throws when the pattern needs the engine and `loadGlobEngine` was not awaited, and UserError for a pattern
 * that cannot be read.
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
  const { patterns, literal, below } = readGlob(pattern)
  if (literal !== undefined) {
    const wanted = fold ? literal.toLowerCase() : literal
    const fits = (path: string) => (below ? path.startsWith(`${wanted}/`) : path === wanted)
    return (path) => fits(fold ? path.toLowerCase() : path)
  }
  if (!compile) throw new Error(`path pattern ${pattern} was not made ready`)
  const make = compile
  const all = patterns.map((one) => make(one, { ...options, nocase: fold }))
  // a file may be named like the pattern itself: app/[id]/page.tsx
  return (path) => path === pattern || all.some((fits) => fits(path))
}
