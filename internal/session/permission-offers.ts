// Choices for a call that waits for approval: rules that allow such calls from now on, and parts of a
// command to deny.
import type { EventPayload } from '../event/event.ts'
import type { DecisionPart } from '../policy/policy.ts'
import type { PermissionRule } from '../policy/rules/permission-rule.ts'

interface OfferedRule {
  rule: PermissionRule
  covers: string
}

/**
 * Returns the offered rules; an answer names a rule by its index in this list. Empty if the call can be
 * allowed only once.
 */
export function readOffers({ always }: Pick<EventPayload<'permission.asked'>, 'always'>): OfferedRule[] {
  const offers = always === undefined ? [] : [always].flat()
  return offers.map(({ rule, covers = '' }) => ({ rule: rule as unknown as PermissionRule, covers }))
}

/**
 * Returns the possible choices as lists of indices: all rules together, and then, if there are several, each
 * rule alone. Without rules, returns an empty list.
 */
export function listOfferChoices(count: number): number[][] {
  const all = Array.from({ length: count }, (_, at) => at)
  if (count < 2) return count === 0 ? [] : [all]
  return [all, ...all.map((at) => [at])]
}

/** Returns a message for the model: the denied parts, and whether the others may run without them. */
export function describePartDenial(parts: readonly DecisionPart[], denied: readonly number[]): string {
  const names = parts.flatMap(({ name }, at) => (denied.includes(at) ? [name] : []))
  const others = names.length < parts.length ? '; the other parts may run without it' : ''
  return `because of: ${names.join('; ')}${others}`
}

/**
 * Parses numbers such as `1, 3` as 0-based indices of `count` parts. Returns undefined for any other text,
 * and for a number that is not that of a part.
 */
export function readPartNumbers(words: string, count: number): number[] | undefined {
  if (!/^\d+(?:[\s,]+\d+)*$/.test(words)) return undefined
  const partIndices = words.split(/[\s,]+/).map((number) => Number(number) - 1)
  return partIndices.every((at) => at >= 0 && at < count) ? partIndices : undefined
}
