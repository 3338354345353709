// The conversion of arguments that have the names and forms of other agents' tools into those
// of native tools.
import type * as z from 'zod/mini'
import { isObject } from '../base/untrusted-json.ts'
import { convertValues } from './arguments/converted-values.ts'
import { findParameter, isHarmless } from './arguments/parameter-names.ts'
import { canonicalToolName } from './catalog.ts'
import { metaOf } from './field.ts'
import type { Tool } from './tool.ts'

type ParameterShape = Readonly<Record<string, z.core.$ZodType>>

interface AdaptedArguments {
  args: unknown
  /** Notes for the model on how the arguments of its call were read. */
  notes: string[]
}

/**
 * Returns the arguments of a call with the parameter names and units of `tool`, with notes. Arguments that
 * are not an object stay unchanged. `calledAs` is the tool name in the call.
 */
export function adaptArguments(
  tool: Pick<Tool, 'name' | 'input'>,
  calledAs: string,
  raw: unknown,
): AdaptedArguments {
  if (!isObject(raw)) return { args: raw, notes: [] }
  const shape = tool.input.shape as ParameterShape
  const { args, notes } = convertValues(raw, Object.keys(shape))
  const renamed = renameKeys(tool.name, shape, args, '', notes)
  // In other programs, the pattern of a tool called `Grep` is a regular expression.
  if (calledAs === 'Grep' && canonicalToolName(calledAs) === tool.name) renamed.regex ??= true
  return { args: renamed, notes }
}

function renameKeys(
  tool: string,
  shape: ParameterShape,
  rawArgs: Readonly<Record<string, unknown>>,
  place: string,
  notes: string[],
): Record<string, unknown> {
  const names = Object.keys(shape)
  const knownNames = new Set(
    names.flatMap((name) => [name, ...(metaOf(shape[name] as z.core.$ZodType)?.aliases ?? [])]),
  )
  const out: Record<string, unknown> = {}
  const ignored = new Set<string>()
  for (const [key, value] of Object.entries(rawArgs)) {
    const name = knownNames.has(key) ? key : findParameter(tool, key, names)
    if (name === undefined) {
      if (value !== null) ignored.add(place + key)
    } else if (name !== key && Object.hasOwn(rawArgs, name)) {
      // If a call uses both names of a parameter, the value under the tool's name counts. A different value
      // under the other name stays, so that the call is refused, unless tools ignore that name.
      if (value === null || JSON.stringify(rawArgs[name]) === JSON.stringify(value)) continue
      if (isHarmless(key)) ignored.add(place + key)
      else out[key] = value
    } else {
      const schema = Object.hasOwn(shape, name) ? shape[name] : undefined
      out[name] = schema ? renameIn(tool, schema, unwrapText(schema, value), `${place}${name}`, notes) : value
    }
  }
  const note = `${[...ignored].join(', ')}: not a parameter of ${tool}; ignored`
  if (ignored.size > 0 && !notes.includes(note)) notes.push(note)
  return out
}

/**
 * Renames the keys of the objects in a list to the parameter names of the tool. A single object becomes a
 * list; other values stay unchanged.
 */
function renameIn(
  tool: string,
  schema: z.core.$ZodType,
  value: unknown,
  place: string,
  notes: string[],
): unknown {
  const { innerType, element } = schema._zod.def as unknown as Record<string, z.core.$ZodType | undefined>
  if (innerType) return renameIn(tool, innerType, value, place, notes)
  const { shape } = (element?._zod.def ?? {}) as { shape?: ParameterShape }
  if (!shape) return value
  const items = isObject(value) ? [value] : value
  if (!Array.isArray(items)) return value
  return items.map((item) => (isObject(item) ? renameKeys(tool, shape, item, `${place}[].`, notes) : item))
}

/**
 * Returns the list that a model wrote as text (JSON, a range of lines, or a single item) or as a single
 * number. Other values stay unchanged, but an end of -1 is removed from a range of numbers.
 */
function unwrapText(schema: z.core.$ZodType, value: unknown): unknown {
  const { innerType, element } = schema._zod.def as unknown as Record<string, z.core.$ZodType | undefined>
  if (innerType) return unwrapText(innerType, value)
  if (!element) return value
  const kind = element._zod.def.type
  if (Array.isArray(value))
    return kind === 'number' && value.length === 2 && value[1] === -1 ? [value[0]] : value
  if (typeof value !== 'string') return kind === 'number' && typeof value === 'number' ? [value] : value
  if (/^\s*[[{]/.test(value)) {
    try {
      const parsed: unknown = JSON.parse(value)
      return isObject(parsed) ? [parsed] : parsed
    } catch {
      // not JSON: read as text
    }
  }
  if (kind === 'number') {
    const [, first, last] = /^\s*(\d+)(?:\s*(?:-|–|,|:|\.\.|to)\s*(\d+))?\s*$/.exec(value) ?? []
    return first === undefined ? value : [first, last].filter((one) => one !== undefined).map(Number)
  }
  return kind === 'string' && metaOf(schema)?.lone === undefined ? [value] : value
}
