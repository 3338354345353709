// `anode tools`: see and call the tools of the registry.
import type { Group } from './verb.ts'

export const tools: Group = {
  name: 'tools',
  summary: 'List tools, show their parameters, call one or many',
  verbs: {
    list: () => import('./tools/list.ts').then((m) => m.list),
    show: () => import('./tools/show.ts').then((m) => m.show),
    use: () => import('./tools/use.ts').then((m) => m.use),
    batch: () => import('./tools/batch.ts').then((m) => m.batch),
  },
}
