// The description of how an adapter's calls become native calls, for users and programs.
import type { AdapterDescription, AdapterTargetDescription } from '../tool/catalog.ts'
import { toJsonSchema } from '../tool/describe.ts'
import type { OwnedAdapter } from './resolve-adapter.ts'
import type { AdapterTarget, ItemSource, TransformedSource } from './toolset.ts'

export function describeAdapter({ toolset, adapter }: OwnedAdapter): AdapterDescription {
  const parameters = (toJsonSchema(adapter.input).properties ?? {}) as Readonly<
    Record<string, { default?: unknown }>
  >
  const elseOf = (name: string) => {
    const standard = parameters[name]?.default
    return standard === undefined ? '' : `, else ${JSON.stringify(standard)}`
  }
  return { toolset, targets: adapter.to.map((target) => describeTarget(target, elseOf)) }
}

/**
 * Returns the text about a parameter's default, which follows the parameter's name; empty if it
 * has no default.
 */
type DescribeDefault = (parameter: string) => string

function describeTarget(
  { tool, when, args, result, ifNoUser, faults }: AdapterTarget,
  elseOf: DescribeDefault,
): AdapterTargetDescription {
  const conditions = when && Object.entries(when).map(([name, value]) => [name, plainValue(value)])
  return {
    tool,
    when: conditions ? Object.fromEntries(conditions) : undefined,
    args: Object.fromEntries(
      Object.entries(args).flatMap(([name, source]) =>
        typeof source === 'string' ? [[name, source + elseOf(source)]] : describeSource(name, source),
      ),
    ),
    result,
    answers: ifNoUser ? { no_user_available: ifNoUser } : undefined,
    faults,
  }
}

const plainValue = (value: string | boolean | RegExp) => (value instanceof RegExp ? String(value) : value)

/**
 * Returns table rows with a native parameter and the source of its value. A list has one row for each field
 * of its items.
 */
function describeSource(name: string, source: ItemSource, below = ''): [string, string][] {
  if (typeof source === 'string') return [[name, below + source]]
  if ('always' in source) return [[name, `${JSON.stringify(source.always)}, always`]]
  if ('item' in source) return [[name, below.replace(/\.$/, '')]]
  if ('position' in source) return [[name, 'position, from 1']]
  if ('items' in source) {
    return Object.entries(source.each).flatMap(([field, part]) =>
      describeSource(`${name}[].${field}`, part, `${below}${source.items}[].`),
    )
  }
  if ('last' in source) {
    const [start, count] = source.last
    const standard = source.or === undefined ? '' : ` (${source.or})`
    return [[name, `${start} (1) + ${count}${standard} - 1`]]
  }
  return [[name, describeTransformed(source, below)]]
}

function describeTransformed(source: TransformedSource, below: string): string {
  const { from, at, skip, or, times, plus, not, refuseOver } = source
  const names = [from].flat().map((name) => below + name)
  const parts = [
    `${not ? 'not ' : ''}${names.join(', else ')}${at === undefined ? '' : `[${at}]`}`,
    ...(times === undefined ? [] : [`times ${times}`]),
    ...(plus === undefined ? [] : [`${plus < 0 ? 'minus' : 'plus'} ${Math.abs(plus)}`]),
  ]
  const rest = [
    ...(skip === undefined ? [] : [`${JSON.stringify(skip)} counts as missing`]),
    ...(or === undefined ? [] : [`else ${JSON.stringify(or)}`]),
    ...(refuseOver === undefined ? [] : [`refused above ${refuseOver.env}, else ${refuseOver.or}`]),
  ]
  return [parts.join(' '), ...rest].join(', ')
}
