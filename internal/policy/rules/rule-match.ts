// The patterns of permission rules, and their matching to calls, commands, paths and hosts.

import { messageOf, UserError } from '../../base/errors.ts'
import { bytesOfText } from '../../base/text/byte-name.ts'
import { escapeGlob, readGlob } from '../../base/text/glob/glob-grammar.ts'
import { pathMatches, readPath } from '../../base/text/glob/path-pattern.ts'
import type { ResolvedPath } from '../paths/path-jail.ts'
import type { Policy, PolicyCall } from '../policy.ts'
import type { ShellPart } from '../shell/shell-part.ts'
import { doesDeedOf, reachesFilesOf } from '../tool-deeds.ts'
import type { PermissionRule } from './permission-rule.ts'

/**
 * How certainly a rule matches a command. `maybe`: the command is not understood well enough to
 * exclude a match.
 */
export type RuleMatch = 'yes' | 'maybe' | 'no'

/**
 * Returns true for rules that deny or ask. They count even if it is uncertain whether they match, while rules
 * that allow must match with certainty.
 */
export const isRestrictive = (rule: PermissionRule): boolean => rule.action !== 'allow'

/** Returns true if the conditions on the whole call match: tool, profile, agent, arguments. */
export function ruleConcerns(
  rule: PermissionRule,
  call: PolicyCall,
  policy: Pick<Policy, 'profile' | 'agent'>,
): boolean {
  if (rule.profile !== undefined && !matchWildcard(rule.profile, policy.profile)) return false
  if (rule.agent !== undefined && rule.agent !== policy.agent) return false
  if (!toolFits(rule, call.tool)) return false
  return Object.entries(rule.args ?? {}).every(([name, pattern]) =>
    argFits(pattern, Object.hasOwn(call.args, name) ? call.args[name] : undefined, isRestrictive(rule)),
  )
}

/**
 * Returns true if a rule applies to a tool. A rule that allows applies only to tools that its name or glob
 * matches. A rule that denies or asks about a main tool (`bash`, `read`, `edit_file`, `create_file` or
 * `apply_patch`) also applies to the other tools of its group (`deeds` in tool-deeds.ts). With a path, it
 * also applies to the tools of `reachesFilesOf`; with a command pattern for `bash`, to every tool.
 */
export function toolFits(rule: PermissionRule, tool: string): boolean {
  const names = (name: string) => matchWildcard(rule.tool, name)
  if (names(tool)) return true
  if (!isRestrictive(rule)) return false
  if (doesDeedOf(tool, names)) return true
  if (rule.command !== undefined) return names('bash')
  return rule.path !== undefined && reachesFilesOf(tool, names)
}

/**
 * Returns true if the value of a parameter matches a glob or `/expression/`. Of a list, every item has to
 * match; with `strict`, for rules that deny or ask, one is enough. A missing value never matches.
 */
export function argFits(pattern: string, value: unknown, strict: boolean): boolean {
  if (Array.isArray(value) && value.length > 0) {
    return strict
      ? value.some((item) => argFits(pattern, item, strict))
      : value.every((item) => argFits(pattern, item, strict))
  }
  if (value === undefined) return false
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const regex = /^\/(.*)\/([imsu]*)$/s.exec(pattern)
  return regex ? new RegExp(regex[1] as string, regex[2]).test(text) : matchWildcard(pattern, text)
}

/** Returns the words of a command pattern, without quotes and a final `*`; undefined for an exact line. */
export function patternWords(command: string): readonly string[] | undefined {
  if (command.startsWith('=')) return undefined
  const words = [...command.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double),
  )
  if (words.at(-1) === '*') words.pop()
  return words
}

/** Returns how a rule with a command pattern matches one simple command of a line. */
export function commandFits(rule: PermissionRule, part: ShellPart, line: string): RuleMatch {
  const command = rule.command as string
  const words = patternWords(command)
  if (!words) {
    if (command.slice(1) === line) return 'yes'
    return isRestrictive(rule) && part.words.join(' ') === command.slice(1) ? 'yes' : 'no'
  }
  return isRestrictive(rule) ? matchForbidWords(words, part, line) : matchAllowWords(words, part)
}

/**
 * Returns how a command rule that denies or asks matches a line that could not be parsed completely: `yes` if
 * the text contains the words of the rule, otherwise `maybe`, because such a line may hide any command.
 */
export function lineFits(rule: PermissionRule, line: string): RuleMatch {
  const words = patternWords(rule.command as string)
  if (words) return words.length === 0 || areAllIn(words, lineTexts(line)) ? 'yes' : 'maybe'
  return line.includes((rule.command as string).slice(1)) ? 'yes' : 'maybe'
}

let lastLine: { line: string; texts: ReadonlySet<string> } | undefined

/**
 * Returns the words of a line after its quotes and backslashes are removed. The result for the last line is
 * cached, because each of its parts needs it.
 */
function lineTexts(line: string): ReadonlySet<string> {
  if (lastLine?.line !== line) lastLine = { line, texts: splitTexts([line.replace(/\\\r?\n|['"\\]/g, '')]) }
  return lastLine.texts
}

function matchAllowWords(words: readonly string[], part: ShellPart): RuleMatch {
  if (part.words.length === 0 || part.known < words.length) return 'no'
  const program = part.words[0] as string
  // `git *` means the git that PATH finds, and `*` alone means any program that PATH finds, so a path
  // does not match.
  if (words.length === 0 && program.includes('/')) return 'no'
  return words.every((word, i) => word === part.words[i]) ? 'yes' : 'no'
}

function matchForbidWords(words: readonly string[], part: ShellPart, line: string): RuleMatch {
  const hidden = () => (areAllIn(words, lineTexts(line)) ? 'yes' : 'maybe')
  if (part.words.length === 0) return part.unseen ? hidden() : 'no'
  const length = Math.min(words.length, part.known)
  const same = words
    .slice(0, length)
    .every((word, i) => (i === 0 ? isSameProgram(word, part.words[0]) : word === part.words[i]))
  if (same && length === words.length) return 'yes'
  if (part.unseen || (same && part.known < Math.max(part.words.length, 1))) return hidden()
  return part.unknown && mentionsPattern(words, part.words.slice(1)) ? 'maybe' : 'no'
}

/** Returns true if the words contain every word of the pattern, in any order, also in quoted text. */
const mentionsPattern = (pattern: readonly string[], words: readonly string[]) =>
  areAllIn(pattern, splitTexts(words))

const splitTexts = (words: readonly string[]): ReadonlySet<string> =>
  new Set(words.flatMap((word) => [word, ...word.split(/[^\w./:@%+-]+|:(?=\/)/)]))

function areAllIn([program, ...rest]: readonly string[], texts: ReadonlySet<string>): boolean {
  if (program === undefined || !rest.every((word) => texts.has(word))) return false
  return texts.has(program) || [...texts].some((text) => isSameProgram(program, text))
}

/**
 * Returns true if the program of a rule is the program that runs, also if it is called by its path. On macOS,
 * letter case does not count.
 */
function isSameProgram(named: string, program: string | undefined): boolean {
  if (program === undefined) return false
  const fold = (text: string) => (process.platform === 'darwin' ? text.toLowerCase() : text)
  const last = program.slice(program.lastIndexOf('/') + 1)
  return fold(named) === fold(program) || fold(named) === fold(last)
}

/**
 * Returns true if a path rule covers a path. Rules that allow compare only the real path. Rules that deny or
 * ask ignore letter case, and also compare the path as written and all directories above. `isParentChecked`:
 * the caller has already compared those directories, so they are skipped.
 */
export function placeFits(
  rule: PermissionRule,
  place: ResolvedPath,
  workspace: string,
  home: string,
  isParentChecked = false,
): boolean {
  const pattern = (rule.path as string).replace(/^\.\//, '')
  const whole = pattern.startsWith('/') || pattern.startsWith('~/')
  const glob = pattern.startsWith('~/') ? home + pattern.slice(1) : pattern
  const relative = (path: string) =>
    path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path
  const view = (path: string) => (whole ? path : path === workspace ? '.' : relative(path))
  if (!isRestrictive(rule)) return pathFits(glob, view(place.real), false)
  const bare = glob.length > 1 && glob.endsWith('/') ? glob.slice(0, -1) : glob
  const covers = (path: string) =>
    isParentChecked
      ? pathFits(bare, path, true)
      : parentFolders(path).some((dir) => pathFits(bare, dir, true))
  return covers(view(place.real)) || (place.named !== place.real && covers(view(place.named)))
}

/** Returns a path and all directories above it, without the root `/`. */
function parentFolders(path: string): string[] {
  const out = [path]
  for (let slashAt = path.lastIndexOf('/'); slashAt > 0; slashAt = path.lastIndexOf('/', slashAt - 1))
    out.push(path.slice(0, slashAt))
  return out
}

/** Returns true if a rule covers a host. Letter case and a trailing dot do not count. */
export function hostFits(rule: PermissionRule, host: string): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/\.$/, '')
  return matchWildcard(plain(rule.host as string), plain(host))
}

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

/**
 * Returns a path pattern without its escapes. Undefined if it contains `*`, `?`, `|`, or a bracket,
 * brace or parenthesis without an escape. A slash at the end stays, although the pattern then
 * matches everything below.
 */
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
 * Returns true if a path matches a path glob: `*` within one component, `**` across, `[…]`, `{a,b}`, a slash
 * at the end for everything below, dot files included. A glob also matches a path with the same text as the
 * glob. `fold`: letter case does not count. Throws UserError for an invalid pattern. The time is at most
 * proportional to the product of both lengths.
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
    const foldedLiteral = folded(literal)
    return (path) => (below ? folded(path).startsWith(`${foldedLiteral}/`) : folded(path) === foldedLiteral)
  }
  const all = paths.map(({ text }) => readPath(text, fold))
  return (path) => {
    const name = bytesOfText(folded(path))
    // A file may have the text of the pattern as its name, such as app/[id]/page.tsx.
    return path === pattern || all.some((one) => pathMatches(one, name))
  }
}
