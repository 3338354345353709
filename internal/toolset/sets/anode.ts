// The toolset anode: the native tools as they are.
import type { ToolsetDefinition } from '../toolset.ts'

export const anode: ToolsetDefinition = {
  name: 'anode',
  about: "Anode's own tools",
  adapters: ['*'],
}
