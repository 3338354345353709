// The published JSON Schema of a configuration file, in a separate file because loading a configuration does
// not need it.
import { toJSONSchema } from 'zod/v4/core'
import { buildConfigFields } from './schema.ts'

export function configSchema(): Record<string, unknown> {
  const out = toJSONSchema(buildConfigFields(), { io: 'input', target: 'draft-07' }) as Record<
    string,
    unknown
  >
  return { ...out, title: 'Anode configuration' }
}
