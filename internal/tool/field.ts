// The parameters of a tool: zod schemas with a description, a largest value and other accepted names; and
// schemas that many parameters use.
import * as z from 'zod/mini'
import type { ToolInput } from './tool.ts'

/** Facts about a parameter that its schema does not contain. */
export interface FieldMeta {
  description: string
  /**
   * Largest value of the parameter. Higher numbers are reduced to it, and the result reports the reduction.
   */
  cap?: number
  /** Other names under which the parameter is accepted; never listed. */
  aliases?: readonly string[]
  /**
   * True to omit the parameter from every description and schema. A call may still set it, because models
   * know it from other programs.
   */
  hidden?: boolean
  /**
   * For a list of objects: the name of a text field. A single value becomes a list of one item, and a text in
   * the list becomes an object with that field. With several names, each of these fields gets the text.
   */
  lone?: string | readonly string[]
  /**
   * True if only the receiver may know the value. Records of the call contain the parameter's name,
   * never its value.
   */
  secret?: boolean
  /** Name of another tool. The parameter is offered only together with that tool. */
  with?: string
  /**
   * Condition for offering the parameter to models. `never`: never; `exa`: if web_search uses the
   * search engine Exa; `targets`: if lookAt.targets has entries. Other callers always have the
   * parameter. Default: always.
   */
  offer?: 'never' | 'exa' | 'targets'
  /**
   * True for a list of objects with the same fields as the tool's other parameters. The schema describes
   * these fields only once.
   */
  likeSiblings?: boolean
  /** Other spellings of the parameter's enum values, mapped to the listed values. */
  synonyms?: Readonly<Record<string, string>>
}

const registry = z.registry<FieldMeta>()

/**
 * Attaches a description and facts, such as the largest value (`cap`) and other names (`aliases`), to the
 * schema of a parameter. Returns the same schema.
 */
export function field<S extends z.ZodMiniType>(
  schema: S,
  description: string,
  rest: Omit<FieldMeta, 'description'> = {},
): S {
  registry.add(schema, { description, ...rest })
  return schema
}

/** Returns the facts that `field` has attached to a schema; undefined without any. */
export function metaOf(schema: z.core.$ZodType): FieldMeta | undefined {
  return registry.get(schema as z.ZodMiniType) as FieldMeta | undefined
}

/**
 * Returns arguments for the record of a call. Of a secret parameter, the record shows only that it was set.
 */
export function withoutSecrets({ shape }: ToolInput, args: Record<string, unknown>): Record<string, unknown> {
  const mask = ([name, value]: [string, unknown]) => [
    name,
    shape[name] && metaOf(shape[name] as z.core.$ZodType)?.secret ? '(not recorded)' : value,
  ]
  return Object.fromEntries(Object.entries(args).map(mask))
}

// Schemas that many parameters use. Each function returns a new schema, because a description belongs
// to one parameter.

export const filledText = () => z.string().check(z.minLength(1))
export const optionalText = () => z.optional(z.string())
export const optionalTexts = () => z.optional(z.array(z.string()))
export const optionalFlag = () => z.optional(z.boolean())
/** Returns the schema of a switch (boolean) that is off by default. */
export const switchOff = () => z._default(z.boolean(), false)
/** Returns the schema of a whole number of at least `least` (default: 1). */
export const wholeNumber = (least = 1) => z.int().check(z.gte(least))
export const optionalNumber = (least = 1) => z.optional(wholeNumber(least))
