// Patterns of model names. An entry of the price catalog applies to all names that its pattern matches.
import { isObject, listOf, stringOf } from '../../base/untrusted-json.ts'

/**
 * A name pattern in the form of the package with the prices: one test of a name, or several tests joined by
 * `and` or `or`.
 */
export type NameMatch =
  | { equals: string }
  | { starts_with: string }
  | { ends_with: string }
  | { contains: string }
  | { regex: string }
  | { or: readonly NameMatch[] }
  | { and: readonly NameMatch[] }

/**
 * Largest number of characters of a model name. A longer name matches nothing, because some patterns
 * would take long.
 */
const maxNameChars = 200

export function matchesName(match: NameMatch, name: string): boolean {
  if (name.length > maxNameChars) return false
  if ('equals' in match) return name === match.equals
  if ('starts_with' in match) return name.startsWith(match.starts_with)
  if ('ends_with' in match) return name.endsWith(match.ends_with)
  if ('contains' in match) return name.includes(match.contains)
  if ('or' in match) return match.or.some((one) => matchesName(one, name))
  if ('and' in match) return match.and.every((one) => matchesName(one, name))
  return new RegExp(match.regex, 'i').test(name)
}

const textTests = ['equals', 'starts_with', 'ends_with', 'contains', 'regex'] as const

/**
 * Reads a name pattern from untrusted JSON. Returns undefined if it is invalid or nested more than
 * four levels deep.
 */
export function readNameMatch(value: unknown, depth = 0): NameMatch | undefined {
  if (!isObject(value) || depth > 4) return undefined
  for (const kind of ['or', 'and'] as const) {
    if (!(kind in value)) continue
    const rawParts = listOf(value[kind])
    const parts = rawParts.flatMap((part) => readNameMatch(part, depth + 1) ?? [])
    if (parts.length === 0 || parts.length < rawParts.length) return undefined
    return kind === 'or' ? { or: parts } : { and: parts }
  }
  for (const kind of textTests) {
    const text = stringOf(value[kind])
    if (text === '') continue
    return kind === 'regex' && !isUsable(text) ? undefined : ({ [kind]: text } as NameMatch)
  }
  return undefined
}

/**
 * Returns true for a valid expression of at most 200 characters in which no repetition directly follows
 * another one, as in `(a+)+`, which could take forever.
 */
function isUsable(expression: string): boolean {
  if (expression.length > 200 || /[+*}]\)*[+*{]/.test(expression)) return false
  try {
    new RegExp(expression, 'i')
    return true
  } catch {
    return false
  }
}
