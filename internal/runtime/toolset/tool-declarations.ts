// Function declarations of tools, as endpoints of language models take them.
import { buildToolSpecs } from '../../agent/system-prompt.ts'
import type { ToolDescription } from '../../tool/catalog.ts'

export function declareTools(tools: readonly ToolDescription[]) {
  return buildToolSpecs(tools).map(({ name, description, schema }) => ({
    type: 'function' as const,
    function: { name, description, parameters: schema },
  }))
}
