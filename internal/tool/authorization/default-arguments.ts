// The arguments of a call that have the default value of their parameter.
import type * as z from 'zod/mini'
import type { ToolInput } from '../tool.ts'

/** Returns the names of the arguments that have the default value of their parameter. */
export function listDefaults({ shape }: ToolInput, args: Record<string, unknown>): string[] {
  return Object.entries(args).flatMap(([name, value]) => {
    const def = (shape[name] as z.core.$ZodType | undefined)?._zod.def
    if (def?.type !== 'default') return []
    const { defaultValue } = def as z.core.$ZodDefaultDef
    return JSON.stringify(defaultValue) === JSON.stringify(value) ? [name] : []
  })
}
