// `anode lsp`: which language servers there are for the workspace, and whether they come up.
import type { Group } from './verb.ts'

export const lsp: Group = {
  name: 'lsp',
  summary: 'Show the language servers of the workspace, or start each to see that it works',
  verbs: {
    list: () => import('./lsp/list.ts').then((m) => m.list),
    doctor: () => import('./lsp/doctor.ts').then((m) => m.doctor),
  },
}
