// The verb `anode tools`, whose commands list, describe and call tools.
import type { VerbGroup } from '../verb.ts'

export const tools: VerbGroup = {
  name: 'tools',
  summary: 'List tools, show their parameters, call one or many',
  verbs: {
    list: () => import('./list.ts').then((m) => m.list),
    show: () => import('./show.ts').then((m) => m.show),
    use: () => import('./use.ts').then((m) => m.use),
    batch: () => import('./batch.ts').then((m) => m.batch),
    toolsets: () => import('./toolsets.ts').then((m) => m.toolsets),
  },
}
