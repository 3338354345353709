// What no general rule covers in a part of a line: protected folders, guarded places and secret names among its words.
import type { LinePart } from './facts.ts'
import type { Holding } from './holdings.ts'
import { type Limit, namesPath, shorten, type Whole } from './item.ts'
import { judgeOperand } from './path.ts'
import type { Policy } from './policy.ts'
import { effectiveMode } from './presets.ts'

/** Every reason to ask about the places that a part names or may name. Pure. */
export function partLimits(part: LinePart, whole: Whole): Limit[] {
  const name = shorten(part.words.join(' '))
  const limits = [...wallLimits(part, name, whole.policy), ...namedLimits(part, name, whole)]
  if (part.cut) limits.push(limit(`${name} names more files than can be looked at`, 'protected_path'))
  if (limits.length > 0) return limits
  return [
    ...outsideLimits(part, name, whole),
    ...holdingLimits(part, name, whole),
    ...vagueLimits(part, name, whole),
  ]
}

/** As for the tools, what lies outside is not covered by leave for what lies inside. */
function outsideLimits(part: LinePart, name: string, { policy }: Whole): Limit[] {
  const [place] = part.outside
  if (place === undefined || isFree(policy)) return []
  const text = `${name}: ${place.given} leads to ${place.real}, outside of the workspace and of the added directories`
  return [{ ...limit(text, 'outside_workspace'), doubt: true }]
}

/** Where folders are protected, all that may write them without naming them asks. */
function wallLimits(part: LinePart, name: string, policy: Policy): Limit[] {
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
function namedLimits(part: LinePart, name: string, whole: Whole): Limit[] {
  const { policy, rules } = whole
  const places = part.class === 'reading' ? part.touches : part.names
  const found: Limit[] = []
  for (const place of places) {
    const judged = judgeOperand(place, part.access, policy.roots)
    if (!judged?.code) continue
    if (judged.code === 'sensitive_path' && rules.some((rule) => namesPath(rule, place))) continue
    const text = `${name}: ${judged.text}`
    if (found.every((other) => other.text !== text)) found.push(limit(text, judged.code))
  }
  return found
}

/** Places below the folders that the words name. In mode `unrestricted` only what whole folders are moved with. */
function holdingLimits(part: LinePart, name: string, { policy }: Whole): Limit[] {
  const free = isFree(policy)
  // a search that passes over hidden files may be allowed by a rule, but its class does not speak for secrets
  if (part.access === 'read' && part.searches === 'visible') return []
  return part.holds.flatMap((held): Limit[] => {
    const { place, unnamed } = held
    const judged = place && judgeOperand(place, part.access, policy.roots)
    const guards = judged?.code === 'protected_path'
    if (free && (unnamed || !(part.moves && guards))) return []
    const text = `${name}: ${tellHolding(held, guards)}`
    const sure = part.moves && place !== undefined && !unnamed
    return [{ ...limit(text, judged?.code ?? 'sensitive_path'), ...(!sure && { doubt: true as const }) }]
  })
}

/** What lies below a folder, in a sentence. */
export function tellHolding({ folder, place, unnamed }: Holding, guards = false): string {
  const where = folder === '.' ? 'the folder it works on' : folder
  if (unnamed) {
    const what = place ? `, such as ${place.shown}` : ', and what those are cannot be told'
    return `it may write files that it does not name${what}`
  }
  if (!place) return `${where} holds too much to tell whether secrets or hooks are among it`
  return `${where} holds ${place.shown}, which ${guards ? 'can decide what runs later' : 'may hold secrets'}`
}

/** A name that is not known cannot be covered by a rule that does not name it either. */
function vagueLimits(part: LinePart, name: string, { policy }: Whole): Limit[] {
  if (part.vague === undefined || part.class === 'reading' || isFree(policy)) return []
  return [{ ...limit(`${name}: ${part.vague}`, 'denied'), doubt: true }]
}

const isFree = (policy: Policy) => effectiveMode(policy.mode, policy.preset) === 'unrestricted'

const limit = (text: string, code: Limit['code']): Limit => ({ action: 'ask', by: 'path', text, code })
