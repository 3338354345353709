// The toolset anode: the native tools unchanged.
import type { ToolsetDefinition } from '../toolset.ts'

export const anode: ToolsetDefinition = {
  name: 'anode',
  about: "Anode's own tools",
  adapters: ['*'],
}
