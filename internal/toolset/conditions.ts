// Conditions between the parameters of an adapter, written as zod checks of the whole object.
import * as z from 'zod/mini'

type CallArguments = Readonly<Record<string, unknown>>

const checkArgs = (fits: (given: CallArguments) => boolean, error: string) =>
  z.refine((args: unknown) => fits(args as CallArguments), { error })

const isGiven = (args: CallArguments, name: string) => args[name] !== undefined

/** Returns a check that either all or none of the parameters are set. */
export function requireTogether(...names: readonly string[]) {
  const count = (args: CallArguments) => names.filter((name) => isGiven(args, name)).length
  return checkArgs((args) => [0, names.length].includes(count(args)), `${names.join(' and ')} go together`)
}

/** Returns a check that the first parameter is not set together with any of the others. */
export function requireApart(name: string, ...others: readonly string[]) {
  return checkArgs(
    (args) => !isGiven(args, name) || !others.some((other) => isGiven(args, other)),
    `${name} excludes ${others.join(' and ')}`,
  )
}

/** Returns a check that `names` are not set, or are false, unless the parameter `of` has this value. */
export function requireValue(names: readonly string[], of: string, value: unknown) {
  return checkArgs(
    (args) => args[of] === value || !names.some((name) => isGiven(args, name) && args[name] !== false),
    `${names.join(', ')} ${names.length === 1 ? 'needs' : 'need'} ${of} ${JSON.stringify(value)}`,
  )
}

/** Returns a check that `names` are not set, or are false, if the parameter `of` has this value. */
export function requireWithout(of: string, value: unknown, names: readonly string[]) {
  return checkArgs(
    (args) => args[of] !== value || !names.some((name) => isGiven(args, name) && args[name] !== false),
    `${of} ${JSON.stringify(value)} goes without ${names.join(', ')}`,
  )
}

/** Returns a check that `names` are set if the parameter `of` has this value. */
export function requireGiven(of: string, value: unknown, names: readonly string[]) {
  return checkArgs(
    (args) => args[of] !== value || names.every((name) => isGiven(args, name)),
    `${of} ${JSON.stringify(value)} needs ${names.join(' and ')}`,
  )
}
