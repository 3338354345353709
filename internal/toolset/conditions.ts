// Conditions between the parameters of an adapter, written as zod checks of the whole object.
import * as z from 'zod/mini'

type Given = Readonly<Record<string, unknown>>

const check = (fits: (given: Given) => boolean, error: string) =>
  z.refine((given: unknown) => fits(given as Given), { error })

const isGiven = (given: Given, name: string) => given[name] !== undefined

/** Returns a check that either all or none of the parameters are set. */
export function requireTogether(...names: readonly string[]) {
  const count = (given: Given) => names.filter((name) => isGiven(given, name)).length
  return check((given) => [0, names.length].includes(count(given)), `${names.join(' and ')} go together`)
}

/** Returns a check that the first parameter is not set together with any of the others. */
export function requireApart(name: string, ...others: readonly string[]) {
  return check(
    (given) => !isGiven(given, name) || !others.some((other) => isGiven(given, other)),
    `${name} excludes ${others.join(' and ')}`,
  )
}

/** Returns a check that `names` are not set, or are false, unless the parameter `of` has this value. */
export function requireValue(names: readonly string[], of: string, value: unknown) {
  return check(
    (given) => given[of] === value || !names.some((name) => isGiven(given, name) && given[name] !== false),
    `${names.join(', ')} ${names.length === 1 ? 'needs' : 'need'} ${of} ${JSON.stringify(value)}`,
  )
}

/** Returns a check that `names` are not set, or are false, if the parameter `of` has this value. */
export function requireWithout(of: string, value: unknown, names: readonly string[]) {
  return check(
    (given) => given[of] !== value || !names.some((name) => isGiven(given, name) && given[name] !== false),
    `${of} ${JSON.stringify(value)} goes without ${names.join(', ')}`,
  )
}

/** Returns a check that `names` are set if the parameter `of` has this value. */
export function requireGiven(of: string, value: unknown, names: readonly string[]) {
  return check(
    (given) => given[of] !== value || names.every((name) => isGiven(given, name)),
    `${of} ${JSON.stringify(value)} needs ${names.join(' and ')}`,
  )
}
