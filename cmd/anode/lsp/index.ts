// The verb `anode lsp`, whose commands list the language servers for the workspace and check
// whether they start.
import type { VerbGroup } from '../verb.ts'
import { doctor } from './doctor.ts'
import { list } from './list.ts'

export const lsp: VerbGroup = {
  name: 'lsp',
  summary: 'Show the language servers of the workspace, or start each to see that it works',
  verbs: {
    list,
    doctor,
  },
}
