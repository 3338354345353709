// The two pattern languages of rules: simple wildcards for names, path globs for files.
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

/** The path pattern that stands for exactly this path. */
export function escapeGlob(path: string): string {
  return path.replace(/[*?[\]{}()|\\]/g, '\\$&')
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

/**
 * Whether a path fits a path glob: `*` within one component, `**` across, `[…]`, `{a,b}`, dot files included.
 * Throws when the pattern needs the engine and `loadGlobEngine` was not awaited.
 */
export function pathFits(pattern: string, path: string, fold: boolean): boolean {
  const exact = literalPath(pattern)
  if (exact !== undefined) return fold ? exact.toLowerCase() === path.toLowerCase() : exact === path
  const key = `${fold ? 'i' : 's'}${pattern}`
  let fits = compiled.get(key)
  if (!fits) {
    if (!compile) throw new Error(`path pattern ${pattern} was not made ready`)
    fits = compile(pattern, { dot: true, nocase: fold, nonegate: true, strictSlashes: true })
    if (compiled.size > 1_000) compiled.clear()
    compiled.set(key, fits)
  }
  return fits(path)
}
