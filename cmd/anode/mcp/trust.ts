// The command `anode mcp trust`, another name of `anode trust` for users who look for it with the servers.
import { trust as whole } from '../trust.ts'
import type { Verb } from '../verb.ts'

export const trust: Verb = {
  ...whole,
  name: 'mcp trust',
  usage: 'mcp trust [flags]',
  summary:
    'Let the servers of this workspace count, with everything else it brings: the same as `anode trust`',
  examples: [['anode mcp trust --status', 'Look before you trust']],
}
