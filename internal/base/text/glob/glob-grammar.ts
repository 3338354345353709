// The grammar of path globs, for rules and searches, which parses a pattern strictly and expands its braces.

const maxLength = 2_000
const maxAlternatives = 512

/** A parsed pattern. Its braces are expanded to alternatives without braces. */
interface PathGlob {
  readonly paths: readonly GlobPath[]
  /**
   * The path that a pattern without wildcards and alternatives names, without escapes; undefined
   * for other patterns.
   */
  readonly literal: string | undefined
  /** True if the pattern matches everything below `literal` but not `literal` itself. */
  readonly below: boolean
}

/** One alternative of a pattern, as text that `readPath` of `path-pattern.ts` parses. */
interface GlobPath {
  readonly text: string
  /** True if the alternative has a slash, so that it does not match a name at any depth. */
  readonly isTied: boolean
}

/**
 * Parses a pattern with `*`, `?`, `[…]`, `[!…]`, `{a,b}` and `**`. `a//b` is `a/b`, and a slash at the end
 * means everything below. With `relative`, a slash at the beginning means the searched directory, and `{a}`
 * is `a`. Throws SyntaxError with a reason for an invalid pattern.
 */
export function readGlob(source: string, relative = false): PathGlob {
  if (source.length > maxLength) throw new SyntaxError(`a pattern has at most ${maxLength} characters`)
  if (/^!(?!\()/.test(source))
    throw new SyntaxError('a pattern cannot begin with !; write \\! for a name that does')
  const paths = expandBraces(source, relative).map((path) => readNames(path, relative))
  const [only] = paths
  const literal = paths.length === 1 && only?.isPlain ? only.plain.replace(/\\(.)/gs, '$1') : undefined
  return { paths, literal, below: literal !== undefined && only?.isBelow === true }
}

/**
 * Returns the path with a backslash before each sign of the grammar, so that a pattern takes it literally.
 */
export const escapeGlob = (path: string): string => path.replace(/[*?[\]{}()|\\!]/g, '\\$&')

/**
 * Returns the alternatives of all braces, also nested ones. Throws SyntaxError for invalid braces and for
 * too many alternatives.
 */
function expandBraces(source: string, isLoneTaken: boolean): string[] {
  const open = findBare(source, '{')
  if (open < 0) {
    if (findBare(source, '}') >= 0) throw new SyntaxError('} without {; write \\} for a brace itself')
    return [source]
  }
  const cuts = [open]
  let close = -1
  for (let at = open, depth = 0; at < source.length && close < 0; at = nextBare(source, at)) {
    if (source[at] === '{') depth++
    else if (source[at] === ',' && depth === 1) cuts.push(at)
    else if (source[at] === '}' && --depth === 0) close = at
  }
  if (close < 0) throw new SyntaxError('{ is never closed; write \\{ for a brace itself')
  const inside = source.slice(open + 1, close)
  if (cuts.length === 1 && !isLoneTaken)
    throw new SyntaxError(`{${inside}} has no comma; write {a,b}, or \\{ for a brace itself`)
  cuts.push(close)
  const tails = expandBraces(source.slice(close + 1), isLoneTaken)
  const out: string[] = []
  for (let i = 1; i < cuts.length; i++) {
    for (const middle of expandBraces(source.slice((cuts[i - 1] ?? 0) + 1, cuts[i]), isLoneTaken)) {
      for (const tail of tails) out.push(source.slice(0, open) + middle + tail)
      if (out.length > maxAlternatives)
        throw new SyntaxError(`braces give more than ${maxAlternatives} patterns`)
    }
  }
  return out
}

function findBare(source: string, char: string): number {
  for (let at = 0; at < source.length; at = nextBare(source, at)) if (source[at] === char) return at
  return -1
}

/** Returns the position after the character at `at`. An escape or a whole class counts as one character. */
function nextBare(source: string, at: number): number {
  if (source[at] === '\\') return at + 2
  return source[at] === '[' ? readClass(source, at).end : at + 1
}

interface ReadNames extends GlobPath {
  /** The pattern without a slash at the end, which means everything below. */
  plain: string
  isPlain: boolean
  isBelow: boolean
}

function readNames(source: string, relative: boolean): ReadNames {
  // `.` is the workspace itself
  if (source === '.' && !relative)
    return { text: '.', plain: '.', isPlain: true, isBelow: false, isTied: false }
  const root = source.startsWith('/') && !relative ? '/' : ''
  const all = splitPath(source)
  const names = all.filter((name) => name !== '' && name !== '.')
  if (names.includes('..')) throw new SyntaxError('.. cannot be part of a pattern; write the whole path')
  if (names.length === 0) throw new SyntaxError('the pattern names nothing; ** means everything')
  const segments = names.map(readSegment)
  const plain = root + segments.map((one) => one.text).join('/')
  const isBelow = all.at(-1) === ''
  return {
    text: isBelow ? `${plain}/**` : plain,
    plain,
    isPlain: segments.every((one) => one.isPlain),
    isBelow,
    isTied: all.length > 1,
  }
}

/** Returns the names between slashes. Throws SyntaxError for a slash within brackets. */
function splitPath(source: string): string[] {
  const names: string[] = []
  let from = 0
  for (let at = 0; at < source.length; at = nextBare(source, at)) {
    if (source[at] !== '/') continue
    names.push(source.slice(from, at))
    from = at + 1
  }
  return [...names, source.slice(from)]
}

function readSegment(source: string): { text: string; isPlain: boolean } {
  if (source === '**') return { text: '**', isPlain: false }
  let text = ''
  let isPlain = true
  for (let at = 0; at < source.length; at = nextBare(source, at)) {
    const char = source[at] as string
    const next = source[at + 1]
    // shells read extended globs such as `@(a)` differently, so they are refused
    if (/[@!+?*]/.test(char) && next === '(')
      throw new SyntaxError(`${char}(…) is not supported; write {a,b}, or \\( for a parenthesis itself`)
    if (char === '\\') {
      if (next === undefined) throw new SyntaxError('a backslash at the end escapes nothing')
      text += escapeChar(next)
    } else if (/[*?[]/.test(char)) {
      isPlain = false
      if (char === '[') text += readClass(source, at).text
      else if (char === '?' || source[at - 1] !== '*' || text.endsWith('\\*')) text += char
    } else text += escapeChar(char)
  }
  return { text, isPlain }
}

const escapeChar = (char: string) => (/[*?[\]\\]/.test(char) ? `\\${char}` : char)

const escapeInClass = (char: string) => (/[\]\\^!-]/.test(char) ? `\\${char}` : char)

/**
 * Returns the class (a set of characters in brackets) that begins at `from` in a normal form, and
 * the position after it. Throws SyntaxError for an invalid class or one with a slash, which a
 * class never matches.
 */
function readClass(source: string, from: number): { text: string; end: number } {
  let at = from + 1
  const not = source[at] === '!' || source[at] === '^'
  if (not) at++
  let text = ''
  const take = () => {
    if (source[at] === '\\') at++
    const char = source[at++]
    if (char === undefined) throw new SyntaxError('[ is never closed; write \\[ for a bracket itself')
    if (char === '/') throw new SyntaxError('/ cannot be part of [ ]')
    return char
  }
  for (let first = true; first || source[at] !== ']'; first = false) {
    // classes such as `[:alpha:]` are refused, because the language of the machine decides what they match
    const named = /^\[[:.=]\w+[:.=]\]/.exec(source.slice(at))?.[0]
    if (named) throw new SyntaxError(`${named} is not supported; write the characters, such as a-z`)
    const low = take()
    const isRange = source[at] === '-' && source[at + 1] !== ']' && source[at + 1] !== undefined
    if (isRange) at++
    const high = isRange ? take() : low
    if (high < low) throw new SyntaxError('a range in [ ] runs backwards')
    text += isRange ? `${escapeInClass(low)}-${escapeInClass(high)}` : escapeInClass(low)
  }
  return { text: `[${not ? '^' : ''}${text}]`, end: at + 1 }
}
