// Description of the error in an invalid request body, for the developer of a client.
import type * as z from 'zod/mini'

type BodyIssue = z.core.$ZodIssue

/**
 * Returns where in the body the problem is, and what is wrong, such as `message.text: must be
 * of type string`.
 */
export function describeBodyIssue(issue: BodyIssue, outer: readonly PropertyKey[] = []): string {
  const path = [...outer, ...issue.path]
  if (issue.code === 'invalid_union') return describeUnion(issue, path)
  const where = path.map(String).join('.') || 'the body'
  if (issue.code === 'invalid_type') return `${where}: must be of type ${issue.expected}`
  if (issue.code === 'invalid_value') return `${where}: must be one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'unrecognized_keys') return `${where}: unknown key ${issue.keys.join(', ')}`
  return `${where}: ${issue.message || issue.code.replaceAll('_', ' ')}`
}

/**
 * Describes the error of a body that can have several forms. It is the first error of the form with the same
 * `type`, or of several such forms the one with the fewest errors. If no form has this `type`, the text lists
 * the known types.
 */
function describeUnion(
  issue: Extract<BodyIssue, { code: 'invalid_union' }>,
  path: readonly PropertyKey[],
): string {
  const isOtherType = (problems: readonly BodyIssue[]) =>
    problems.some(({ code, path: [key] }) => code === 'invalid_value' && key === 'type')
  const forms = [...issue.errors].sort(
    (a, b) => Number(isOtherType(a)) - Number(isOtherType(b)) || a.length - b.length,
  )
  const [best] = forms
  if (!best || best.length === 0) return `${path.map(String).join('.') || 'the body'}: fits none of the forms`
  if (!isOtherType(best)) return describeBodyIssue(best[0] as BodyIssue, path)
  const values = forms.flatMap((problems) =>
    problems.flatMap((one) => (one.code === 'invalid_value' && one.path[0] === 'type' ? one.values : [])),
  )
  const place = [...path, 'type'].map(String).join('.')
  return `${place}: must be one of ${[...new Set(values)].map(String).join(', ')}`
}
