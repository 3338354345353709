// Limits of a simple command, which stay even if a general rule allows it: protected directories, sensitive
// paths, paths outside the workspace, and unknown file names.

import { type DecisionContext, type ItemLimit, namesPath, showWords } from './decision-item.ts'
import { isHeld } from './held-commands.ts'
import { effectiveMode } from './level.ts'
import { describeOutside, judgeOperand } from './paths/path-jail.ts'
import type { SensitiveContent } from './paths/sensitive-contents.ts'
import type { Policy } from './policy.ts'
import type { LinePart } from './resolved-call.ts'

/**
 * Returns the reasons why a simple command needs approval because of paths that it names or may name. Weaker
 * reasons are returned only without stronger ones. In mode `auto` with a sandbox, only the paths that it
 * names count. Reads no file.
 */
export function partLimits(part: LinePart, context: DecisionContext): ItemLimit[] {
  const name = showWords(part.words)
  // The sandbox itself protects all paths that the command does not name, so only named paths are checked.
  if (isHeld(context)) return namedLimits(part, name, context)
  const limits = [...protectedLimits(part, name, context.policy), ...namedLimits(part, name, context)]
  if (part.cut) limits.push(makePathLimit(`${name} names more files than can be looked at`, 'protected_path'))
  if (limits.length > 0) return limits
  return [
    ...outsideLimits(part, name, context),
    ...holdingLimits(part, name, context),
    ...vagueLimits(part, name, context),
  ]
}

/**
 * Returns the limit for the first path outside the workspace; an empty list without one and in mode
 * `unrestricted`. Of the rules that allow commands, only one for exactly this line covers it.
 */
function outsideLimits(part: LinePart, name: string, { policy }: DecisionContext): ItemLimit[] {
  const [place] = part.outside
  if (place === undefined || isFree(policy)) return []
  return [{ ...makePathLimit(`${name}: ${describeOutside(place)}`, 'outside_workspace'), doubt: true }]
}

/** Returns the limit for commands that may write to a protected directory without naming it. */
function protectedLimits(part: LinePart, name: string, policy: Policy): ItemLimit[] {
  const [protectedPath] = policy.roots.protected
  if (protectedPath === undefined || part.words.length === 0 || (part.access === 'read' && !part.unseen))
    return []
  const why =
    (part.unseen && 'it may run commands that the line does not show') ||
    part.vague ||
    (part.anywhere && 'what it writes is not said by its words') ||
    (part.opaque !== undefined && !part.wraps && part.opaque)
  if (!why) return []
  return [makePathLimit(`${name} may write ${protectedPath}, which is protected: ${why}`, 'protected_path')]
}

/** Returns the limits for paths that the words name. */
function namedLimits(part: LinePart, name: string, context: DecisionContext): ItemLimit[] {
  const { policy, rules } = context
  const places = part.class === 'reading' ? part.touches : part.names
  const limits: ItemLimit[] = []
  for (const place of places) {
    const judged = judgeOperand(place, part.access, policy.roots)
    if (!judged?.code) continue
    if (judged.code === 'sensitive_path' && rules.some((rule) => namesPath(rule, place))) continue
    const text = `${name}: ${judged.text}`
    if (limits.every((other) => other.text !== text)) limits.push(makePathLimit(text, judged.code))
  }
  return limits
}

/**
 * Returns the limits for sensitive content of directories that the words name, and for sensitive files that
 * the command may write without naming them. Empty for a search that skips hidden files. In mode
 * `unrestricted`, only protected content that moves with a whole directory counts.
 */
function holdingLimits(part: LinePart, name: string, { policy }: DecisionContext): ItemLimit[] {
  const free = isFree(policy)
  // A search that skips hidden files may be allowed by a rule; only its class in mode `auto` requires that no
  // secrets are among the files.
  if (part.access === 'read' && part.searches === 'visible') return []
  return part.sensitiveContents.flatMap((content): ItemLimit[] => {
    const { place, unnamed } = content
    const judged = place && judgeOperand(place, part.access, policy.roots)
    const guards = judged?.code === 'protected_path'
    if (free && (unnamed || !(part.moves && guards))) return []
    const text = `${name}: ${describeSensitiveContent(content, guards)}`
    const sure = part.moves && place !== undefined && !unnamed
    return [{ ...makePathLimit(text, judged?.code ?? 'sensitive_path'), doubt: sure ? undefined : true }]
  })
}

/** Describes sensitive content of a directory in one sentence. */
export function describeSensitiveContent(
  { folder, place, unnamed }: SensitiveContent,
  guards = false,
): string {
  const where = folder === '.' ? 'the folder it works on' : folder
  if (unnamed) {
    const what = place ? `, such as ${place.shown}` : ', and which ones is unknown'
    return `it may write files that it does not name${what}`
  }
  if (!place) return `${where} contains too much to tell whether secrets or hooks are among it`
  const risk = guards ? 'can decide what runs later' : 'may hold secrets'
  return `${where} contains ${place.shown}, which ${risk}`
}

/**
 * Returns the limit for a command whose file names are unknown, because a rule for its known files cannot
 * cover it. Empty for the class `reading` and in mode `unrestricted`.
 */
function vagueLimits(part: LinePart, name: string, { policy }: DecisionContext): ItemLimit[] {
  if (part.vague === undefined || part.class === 'reading' || isFree(policy)) return []
  return [{ ...makePathLimit(`${name}: ${part.vague}`, 'denied'), doubt: true }]
}

const isFree = (policy: Policy) => effectiveMode(policy.mode, policy.preset) === 'unrestricted'

const makePathLimit = (text: string, code: ItemLimit['code']): ItemLimit => ({
  action: 'ask',
  by: 'path',
  text,
  code,
})
