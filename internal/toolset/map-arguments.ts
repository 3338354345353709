// The mapping of an adapter's arguments to those of its native tool.
import type { EnvironmentVariables } from '../base/environment.ts'
import { FailureError } from '../base/errors.ts'
import { isObject } from '../base/untrusted-json.ts'
import type {
  AdapterTarget,
  ArgumentSource,
  EnvironmentNumber,
  ItemSource,
  TransformedSource,
} from './toolset.ts'

type CallArguments = Readonly<Record<string, unknown>>

/**
 * Returns the first target whose conditions match the arguments, else the last target. The arguments already
 * contain their defaults.
 */
export function chooseTarget(targets: readonly AdapterTarget[], callArgs: CallArguments): AdapterTarget {
  const fits = ({ when = {} }: AdapterTarget) =>
    Object.entries(when).every(([name, condition]) => {
      const value = callArgs[name]
      return condition instanceof RegExp
        ? typeof value === 'string' && condition.test(value)
        : value === condition
    })
  return targets.find(fits) ?? (targets.at(-1) as AdapterTarget)
}

/**
 * Returns the arguments for the native tool. The native tool fills in its defaults later. Throws FailureError
 * `bad_args` for a value above the limit that an environment variable or the mapping sets for it.
 */
export function mapArguments(
  args: AdapterTarget['args'],
  callArgs: CallArguments,
  env: EnvironmentVariables,
): Record<string, unknown> {
  return mapEntries(args, (source) => readSource(source, callArgs, env))
}

function mapEntries<S>(args: Readonly<Record<string, S>>, read: (source: S) => unknown) {
  const entries = Object.entries(args).map(([name, source]) => [name, read(source)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function readSource(source: ArgumentSource, callArgs: CallArguments, env: EnvironmentVariables): unknown {
  if (typeof source === 'string') return callArgs[source]
  if ('always' in source) return source.always
  if ('last' in source) return lastLine(source, callArgs)
  if ('items' in source) {
    const items = Array.isArray(callArgs[source.items]) ? (callArgs[source.items] as unknown[]) : []
    return items.map((item, i) => mapEntries(source.each, (part) => readItem(part, item, i, env)))
  }
  return transformValue(source, callArgs, env)
}

function readItem(source: ItemSource, item: unknown, index: number, env: EnvironmentVariables): unknown {
  if (typeof source === 'object' && 'item' in source) return item
  if (typeof source === 'object' && 'position' in source) return String(index + 1)
  return readSource(source, isObject(item) ? item : {}, env)
}

function lastLine(
  { last: [start, count], or }: Extract<ArgumentSource, { last: unknown }>,
  callArgs: CallArguments,
) {
  const lines = (callArgs[count] as number | undefined) ?? or
  if (!lines) return undefined
  return clampNumber(((callArgs[start] as number | undefined) ?? 1) + lines - 1)
}

function transformValue(
  source: TransformedSource,
  callArgs: CallArguments,
  env: EnvironmentVariables,
): unknown {
  const { from, at, skip, or, times, plus, not, refuseOver } = source
  const name = [from].flat().find((one) => callArgs[one] !== undefined)
  const whole = name === undefined ? undefined : callArgs[name]
  const rawValue = at !== undefined && Array.isArray(whole) ? whole[at] : whole
  const value = rawValue === undefined || rawValue === skip ? readFallback(or, env) : rawValue
  if (value === undefined) return undefined
  if (not) return !value
  const limit = refuseOver && readVariable(refuseOver, env)
  if (limit !== undefined && (value as number) > limit) {
    const message = `${name ?? [from].flat()[0]} must be at most ${limit}`
    throw new FailureError({ code: 'bad_args', message })
  }
  if (times === undefined && plus === undefined) return value
  // A fraction of the smallest unit must not become 0, so the result is at least 1.
  const scaled = times === undefined ? (value as number) : Math.max(1, Math.round((value as number) * times))
  return clampNumber(scaled + (plus ?? 0))
}

/** Returns the value, limited to the largest safe integer, because a schema rejects larger numbers. */
const clampNumber = (value: number) => Math.min(value, Number.MAX_SAFE_INTEGER)

function readFallback(or: unknown, env: EnvironmentVariables): unknown {
  return isObject(or) && typeof or.env === 'string'
    ? readVariable(or as unknown as EnvironmentNumber, env)
    : or
}

function readVariable({ env: name, or }: EnvironmentNumber, env: EnvironmentVariables): number {
  const value = env[name] ?? ''
  return /^[1-9]\d{0,14}$/.test(value) ? Number(value) : or
}
