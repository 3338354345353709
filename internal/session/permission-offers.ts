// What a waiting call offers to choose from: rules to keep, and parts of its line to deny.
import type { EventPayload } from '../event/event.ts'
import type { DecisionPart } from '../policy/policy.ts'
import type { PermissionRule } from '../policy/rules/permission-rule.ts'

interface OfferedRule {
  rule: PermissionRule
  covers: string
}

/** In the order in which answers name them; empty where the call can be allowed once only. */
export function readOffers({ always }: Pick<EventPayload<'permission.asked'>, 'always'>): OfferedRule[] {
  const offers = always === undefined ? [] : [always].flat()
  return offers.map(({ rule, covers = '' }) => ({ rule: rule as unknown as PermissionRule, covers }))
}

/** What can be kept of so many offers, as indices: all of them first, then each alone. */
export function listOfferChoices(count: number): number[][] {
  const all = Array.from({ length: count }, (_, at) => at)
  return count > 1 ? [all, ...all.map((at) => [at])] : [all]
}

/** For the model: the parts that may not run, and whether others may without them. */
export function describePartDenial(parts: readonly DecisionPart[], denied: readonly number[]): string {
  const names = parts.flatMap(({ name }, at) => (denied.includes(at) ? [name] : []))
  const others = names.length < parts.length ? '; the other parts may run without it' : ''
  return `for the sake of: ${names.join('; ')}${others}`
}

/** `1, 3` as indices of so many parts; undefined for all other words. */
export function readPartNumbers(words: string, count: number): number[] | undefined {
  if (!/^\d+(?:[\s,]+\d+)*$/.test(words)) return undefined
  const chosen = words.split(/[\s,]+/).map((number) => Number(number) - 1)
  return chosen.every((at) => at >= 0 && at < count) ? chosen : undefined
}
