// Describes a loaded tool as the catalog lists it; for the native ones the build does so.
import type * as z from 'zod/mini'
import { toJSONSchema } from 'zod/v4/core'
import type { ToolDescription } from './catalog.ts'
import { metaOf } from './field.ts'
import type { Tool } from './tool.ts'

/** Describes a loaded tool. */
export function toToolDescription(tool: Tool, origin: string): ToolDescription {
  return {
    name: tool.name,
    level: tool.level,
    origin,
    summary: tool.about.trimStart().split('\n', 1)[0]?.trim() ?? '',
    about: tool.about.trim(),
    schema: toJsonSchema(tool.input),
    example: tool.example as Record<string, unknown>,
    spawns: tool.spawns === true,
    ...(tool.needs && { needs: tool.needs }),
  }
}

type Json = Record<string, unknown>

/** The JSON Schema (input side) of a tool's parameters: flat, with descriptions, `maximum` for caps. */
export function toJsonSchema(input: z.ZodMiniObject): Json {
  const schema = toJSONSchema(input, {
    io: 'input',
    target: 'draft-07',
    override: ({ zodSchema, jsonSchema: out }) => {
      const meta = metaOf(zodSchema)
      if (meta) {
        out.description = meta.description
        if (meta.cap !== undefined) out['x-cap'] = meta.cap
        if (meta.rare) out['x-rare'] = true
      }
      // zod writes the bounds of safe integers; they say nothing to a reader
      if (out.minimum === Number.MIN_SAFE_INTEGER) delete out.minimum
      if (out.maximum === Number.MAX_SAFE_INTEGER) delete out.maximum
    },
  }) as Json
  delete schema.$schema
  schema.additionalProperties = false
  return schema
}
