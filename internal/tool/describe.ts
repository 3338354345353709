// The description of a loaded tool for the catalog, and its form for models. Native tools are described when
// Anode is built.
import type * as z from 'zod/mini'
import { toJSONSchema } from 'zod/v4/core'
import { isObject } from '../base/untrusted-json.ts'
import type { ToolDescription, ToolEntry } from './catalog.ts'
import { type FieldMeta, metaOf } from './field.ts'
import type { Tool, ToolInput } from './tool.ts'

const foreignSchemas = new WeakMap<ToolInput, JsonRecord>()

/** Attaches the JSON Schema of another program's tool to `input`, which is a flat version of that schema. */
export function describeBySchema(input: ToolInput, schema: JsonRecord): ToolInput {
  foreignSchemas.set(input, schema)
  return input
}

/** Returns the description of a loaded tool. */
export function toToolDescription(tool: Tool, origin: string): ToolDescription {
  const { optional, with: other, lsp, spawns = false, mainOnly, mentions } = tool.offer ?? {}
  return {
    name: tool.name,
    level: tool.level,
    origin,
    summary: tool.about.trimStart().split('\n', 1)[0]?.trim() ?? '',
    about: tool.about.trim(),
    schema:
      origin === 'native'
        ? toNativeSchema(tool.input)
        : (foreignSchemas.get(tool.input) ?? toJsonSchema(tool.input)),
    example: tool.example as Record<string, unknown>,
    spawns,
    mainOnly,
    optional,
    with: other || undefined,
    mentions,
    needs: lsp === 'needs' ? 'lsp' : undefined,
    uses: lsp === 'uses' ? 'lsp' : undefined,
  }
}

/** Returns entries of tools that are already loaded, for example from toolbox programs. */
export function toToolEntries(tools: readonly Tool[], origin: string): ToolEntry[] {
  return tools.map((tool) => ({ ...toToolDescription(tool, origin), load: async () => tool }))
}

type JsonRecord = Record<string, unknown>

/** Removes the parameters that are marked as `hidden` from an object's JSON Schema. */
function dropHiddenParameters(schema: z.core.$ZodType, out: JsonRecord): void {
  const { shape } = schema._zod.def as unknown as { shape?: Record<string, z.core.$ZodType> }
  const properties = out.properties as JsonRecord | undefined
  if (!shape || !properties) return
  for (const [name, parameter] of Object.entries(shape)) {
    if (metaOf(parameter)?.hidden) delete properties[name]
  }
}

/**
 * Keywords of JSON Schema that Anode checks itself in calls of native tools. The schema for models omits
 * them, because strict endpoints would reject arguments that Anode can repair, and because keywords cost
 * tokens in every request.
 */
const checkedKeywords = (
  'additionalProperties propertyNames minLength maxLength minItems maxItems ' +
  'minimum maximum exclusiveMinimum pattern format'
).split(' ')

/** Returns the JSON Schema of a native tool's parameters, for models and `tools show`. */
function toNativeSchema(input: z.ZodMiniObject): JsonRecord {
  return writeSchema(input, (out) => {
    for (const keyword of checkedKeywords) delete out[keyword]
  })
}

/**
 * Returns the JSON Schema of the arguments that a tool accepts, with every bound of a value. Aliases and
 * hidden parameters are left out.
 */
export function toJsonSchema(input: z.ZodMiniObject): JsonRecord {
  const schema = writeSchema(input, (out) => {
    // The library zod adds the bounds of safe integers, which mean nothing to a reader.
    if (out.minimum === Number.MIN_SAFE_INTEGER) delete out.minimum
    if (out.maximum === Number.MAX_SAFE_INTEGER) delete out.maximum
  })
  schema.additionalProperties = false
  return schema
}

/**
 * Returns a parameter's description with its cap (largest value) in words. A value above the cap is reduced
 * to it, not rejected, so the schema contains no maximum.
 */
function descriptionOf({ description, cap }: FieldMeta): string {
  const words = description.replace(/\.$/, '')
  return cap === undefined ? words : `${words}, max ${cap}`
}

function writeSchema(input: z.ZodMiniObject, trim: (out: JsonRecord) => void): JsonRecord {
  const schema = toJSONSchema(input, {
    io: 'input',
    target: 'draft-07',
    override: ({ zodSchema, jsonSchema: out }) => {
      const meta = metaOf(zodSchema)
      if (meta) out.description = descriptionOf(meta)
      if (meta?.likeSiblings) out.items = { type: 'object' }
      if (meta?.with) out['x-with'] = meta.with
      if (meta?.offer) out['x-offer'] = meta.offer
      dropHiddenParameters(zodSchema, out)
      trim(out as JsonRecord)
    },
  }) as JsonRecord
  delete schema.$schema
  return schema
}

type OfferedJson = Record<string, unknown>

/** The tools that are offered together, which decide the parameters that each one offers. */
interface OfferedTools {
  /** Names of the tools that are offered together. */
  names: ReadonlySet<string>
  /** Search engine of web_search. Default: unknown, so that no parameter of an engine is offered. */
  engine?: () => string
  /** True if lookAt.targets has entries. */
  hasTargets?: boolean
}

const marks = ['x-with', 'x-offer']

/**
 * Returns the schema that a model is offered; `schema` itself if none of its parameters has a condition
 * (`x-with` or `x-offer`). A call may still set the parameters that are left out.
 */
export function toOfferedSchema(schema: OfferedJson, offer: OfferedTools): OfferedJson {
  return marks.some((mark) => hasKey(schema, mark)) ? trimSchema(schema, offer) : schema
}

/** Returns the text `about` without the sentences that refer to a tool of `mentions` that is not offered. */
export function toOfferedAbout(
  about: string,
  mentions: readonly string[],
  names: ReadonlySet<string>,
): string {
  const missing = mentions.filter((name) => !names.has(name))
  if (missing.length === 0) return about
  const isMissing = (sentence: string) => missing.some((name) => new RegExp(`\\b${name}\\b`).test(sentence))
  return about
    .split('\n')
    .map((line) =>
      line
        .split(/(?<=\.) /)
        .filter((sentence) => !isMissing(sentence))
        .join(' '),
    )
    .join('\n')
    .trim()
}

function hasKey(value: unknown, key: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, key) || Object.values(value).some((one) => hasKey(one, key))
}

function trimSchema(schema: OfferedJson, offer: OfferedTools): OfferedJson {
  const { 'x-with': _with, 'x-offer': _offer, ...out } = schema
  for (const key of ['items', 'additionalProperties']) {
    if (isObject(out[key])) out[key] = trimSchema(out[key], offer)
  }
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const list = out[key]
    if (Array.isArray(list)) out[key] = list.map((one) => (isObject(one) ? trimSchema(one, offer) : one))
  }
  if (!isObject(out.properties)) return out
  const properties = Object.entries(out.properties as Record<string, OfferedJson>)
    .filter(([, one]) => isOffered(one, offer))
    .map(([name, one]) => [name, trimSchema(one, offer)] as const)
  return { ...out, properties: Object.fromEntries(properties) }
}

function isOffered({ 'x-with': partner, 'x-offer': when }: OfferedJson, offer: OfferedTools): boolean {
  if (partner !== undefined && !offer.names.has(String(partner))) return false
  if (when === 'targets') return offer.hasTargets === true
  return when === undefined || when === offer.engine?.()
}
