// Reader of file names in patches: quoted as in C, with prefixes, or followed by a date.
import { badPatch } from './patch.ts'

const escapes: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
}

/**
 * Returns the quoted name at the beginning of `text` and the text after it. git quotes names with control
 * characters or non-ASCII characters. Throws FailureError `bad_patch` for an unknown escape or a missing
 * quote mark at the end.
 */
function readQuoted(text: string, line: number): { name: string; rest: string } {
  const bytes: number[] = []
  let i = 1
  for (; i < text.length && text[i] !== '"'; i++) {
    if (text[i] !== '\\') {
      const char = String.fromCodePoint(text.codePointAt(i) as number)
      bytes.push(...Buffer.from(char))
      i += char.length - 1
      continue
    }
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(i + 1))?.[0]
    const byte = octal === undefined ? escapes[text[i + 1] ?? ''] : Number.parseInt(octal, 8)
    if (byte === undefined) throw badPatch('the quoted name has an unknown escape', line)
    bytes.push(byte)
    i += octal === undefined ? 1 : 3
  }
  if (text[i] !== '"') throw badPatch('the quoted name has no end', line)
  return { name: Buffer.from(bytes).toString('utf8'), rest: text.slice(i + 1) }
}

/**
 * Returns the name in `text`, the part of a line after `--- `, `+++ `, `rename from ` and similar headers;
 * undefined for /dev/null. Throws FailureError `bad_patch` for an empty or wrongly quoted name.
 */
export function readName(text: string, line: number): string | undefined {
  const name = text.startsWith('"') ? readQuoted(text, line).name : (text.split('\t')[0] as string)
  if (name === '/dev/null') return undefined
  if (name === '') throw badPatch('a file name is missing', line)
  return name
}

/**
 * Returns the name in `diff --git a/x b/x`, and whether it has prefixes such as `a/`. The two names of this
 * line may differ only in their prefix. If they differ otherwise, returns undefined, because other header
 * lines then contain both names.
 */
export function readGitLine(text: string, line: number): { name: string; prefixed: boolean } | undefined {
  for (const [left, right] of splitNames(text, line)) {
    if (left === right) return { name: left, prefixed: false }
    if (stripPrefix(left) !== '' && stripPrefix(left) === stripPrefix(right)) {
      return { name: stripPrefix(left), prefixed: true }
    }
  }
  return undefined
}

function splitNames(text: string, line: number): [string, string][] {
  if (text.startsWith('"')) {
    const { name, rest } = readQuoted(text, line)
    const second = rest.slice(1)
    return [[name, second.startsWith('"') ? readQuoted(second, line).name : second]]
  }
  const quote = text.indexOf(' "')
  if (quote > 0 && text.endsWith('"')) {
    return [[text.slice(0, quote), readQuoted(text.slice(quote + 1), line).name]]
  }
  const pairs: [string, string][] = []
  for (let at = text.indexOf(' '); at >= 0; at = text.indexOf(' ', at + 1)) {
    pairs.push([text.slice(0, at), text.slice(at + 1)])
  }
  // The most even split is tried first, because it is the right one if the name contains spaces.
  const unevenness = ([left, right]: [string, string]) => Math.abs(left.length - right.length)
  return pairs.sort((a, b) => unevenness(a) - unevenness(b))
}

/** Returns a name without its first directory; unchanged without a slash. */
export function stripPrefix(name: string): string {
  return name.slice(name.indexOf('/') + 1)
}

/**
 * Returns the file of a `---` and `+++` pair without a git header; undefined if both are /dev/null. Prefixes
 * of git (a, b) or of diff.mnemonicPrefix (i, w, c, o) are removed if each name has a different one. For a
 * created or removed file, only its prefix of git is removed.
 */
export function fromPair(old: string | undefined, fresh: string | undefined): string | undefined {
  if (old !== undefined && fresh !== undefined) {
    const prefixes = `${prefixOf(old)}${prefixOf(fresh)}`
    return /^(ab|[iwco]{2})$/.test(prefixes) && prefixes[0] !== prefixes[1] ? stripPrefix(fresh) : fresh
  }
  const name = fresh ?? old
  return name !== undefined && prefixOf(name) === (fresh === undefined ? 'a' : 'b') ? stripPrefix(name) : name
}

const prefixOf = (name: string) => /^([abciow])\/./.exec(name)?.[1] ?? ''

/**
 * Returns a name for a header as git accepts it: in quotes if it contains a quote, a backslash or a control
 * character. Non-ASCII characters stay unchanged.
 */
export function quoteName(name: string): string {
  // biome-ignore lint/complexity/useRegexLiterals: the literal would hold control characters
  const special = new RegExp('["\\\\\\u0000-\\u001f\\u007f]', 'g')
  const quoted = name.replace(special, (char) => {
    const code = char.charCodeAt(0)
    const letter = Object.keys(escapes).find((key) => escapes[key] === code)
    return `\\${letter ?? code.toString(8).padStart(3, '0')}`
  })
  return quoted === name ? name : `"${quoted}"`
}
