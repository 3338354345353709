// What no general rule covers in a part of a line: protected folders, guarded places and secret names among
// its words.

import { type DecisionContext, type ItemLimit, namesPath, showWords } from './decision-item.ts'
import { isHeld } from './held-commands.ts'
import { describeOutside, judgeOperand } from './paths/path-jail.ts'
import type { SensitiveContent } from './paths/sensitive-contents.ts'
import type { Policy } from './policy.ts'
import { effectiveMode } from './presets.ts'
import type { LinePart } from './resolved-call.ts'

/** Every reason to ask about the places that a part names or may name. Pure. */
export function partLimits(part: LinePart, context: DecisionContext): ItemLimit[] {
  const name = showWords(part.words)
  // all other places are the wall's
  if (isHeld(context)) return namedLimits(part, name, context)
  const limits = [...wallLimits(part, name, context.policy), ...namedLimits(part, name, context)]
  if (part.cut) limits.push(limit(`${name} names more files than can be looked at`, 'protected_path'))
  if (limits.length > 0) return limits
  return [
    ...outsideLimits(part, name, context),
    ...holdingLimits(part, name, context),
    ...vagueLimits(part, name, context),
  ]
}

/** As for the tools, what lies outside is not covered by leave for what lies inside. */
function outsideLimits(part: LinePart, name: string, { policy }: DecisionContext): ItemLimit[] {
  const [place] = part.outside
  if (place === undefined || isFree(policy)) return []
  return [{ ...limit(`${name}: ${describeOutside(place)}`, 'outside_workspace'), doubt: true }]
}

/** Where folders are protected, all that may write them without naming them asks. */
function wallLimits(part: LinePart, name: string, policy: Policy): ItemLimit[] {
  const [wall] = policy.roots.protected
  if (wall === undefined || part.words.length === 0 || (part.access === 'read' && !part.unseen)) return []
  const why =
    (part.unseen && 'it may run commands that the line does not show') ||
    part.vague ||
    (part.anywhere && 'what it writes is not said by its words') ||
    (part.opaque !== undefined && !part.wraps && part.opaque)
  if (!why) return []
  return [limit(`${name} may write ${wall}, which is protected: ${why}`, 'protected_path')]
}

/** Places that the words name. */
function namedLimits(part: LinePart, name: string, context: DecisionContext): ItemLimit[] {
  const { policy, rules } = context
  const places = part.class === 'reading' ? part.touches : part.names
  const found: ItemLimit[] = []
  for (const place of places) {
    const judged = judgeOperand(place, part.access, policy.roots)
    if (!judged?.code) continue
    if (judged.code === 'sensitive_path' && rules.some((rule) => namesPath(rule, place))) continue
    const text = `${name}: ${judged.text}`
    if (found.every((other) => other.text !== text)) found.push(limit(text, judged.code))
  }
  return found
}

/**
 * Places below the folders that the words name. In mode `unrestricted` only what whole folders are moved
 * with.
 */
function holdingLimits(part: LinePart, name: string, { policy }: DecisionContext): ItemLimit[] {
  const free = isFree(policy)
  // a search that passes over hidden files may be allowed by a rule, but its class does not speak for secrets
  if (part.access === 'read' && part.searches === 'visible') return []
  return part.sensitiveContents.flatMap((held): ItemLimit[] => {
    const { place, unnamed } = held
    const judged = place && judgeOperand(place, part.access, policy.roots)
    const guards = judged?.code === 'protected_path'
    if (free && (unnamed || !(part.moves && guards))) return []
    const text = `${name}: ${describeSensitiveContent(held, guards)}`
    const sure = part.moves && place !== undefined && !unnamed
    return [{ ...limit(text, judged?.code ?? 'sensitive_path'), doubt: sure ? undefined : true }]
  })
}

/** What lies below a folder, in a sentence. */
export function describeSensitiveContent(
  { folder, place, unnamed }: SensitiveContent,
  guards = false,
): string {
  const where = folder === '.' ? 'the folder it works on' : folder
  if (unnamed) {
    const what = place ? `, such as ${place.shown}` : ', and what those are cannot be told'
    return `it may write files that it does not name${what}`
  }
  if (!place) return `${where} holds too much to tell whether secrets or hooks are among it`
  return `${where} holds ${place.shown}, which ${guards ? 'can decide what runs later' : 'may hold secrets'}`
}

/** A name that is not known cannot be covered by a rule that does not name it either. */
function vagueLimits(part: LinePart, name: string, { policy }: DecisionContext): ItemLimit[] {
  if (part.vague === undefined || part.class === 'reading' || isFree(policy)) return []
  return [{ ...limit(`${name}: ${part.vague}`, 'denied'), doubt: true }]
}

const isFree = (policy: Policy) => effectiveMode(policy.mode, policy.preset) === 'unrestricted'

const limit = (text: string, code: ItemLimit['code']): ItemLimit => ({
  action: 'ask',
  by: 'path',
  text,
  code,
})
