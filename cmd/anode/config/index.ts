// The verb `anode config`, whose commands show, change and check the configuration.
import type { VerbGroup } from '../verb.ts'

export const config: VerbGroup = {
  name: 'config',
  summary: 'Show, change or check the configuration, and where each value comes from',
  verbs: {
    list: () => import('./list.ts').then((m) => m.list),
    path: () => import('./path.ts').then((m) => m.path),
    set: () => import('./set.ts').then((m) => m.set),
    unset: () => import('./unset.ts').then((m) => m.unset),
    doctor: () => import('./doctor.ts').then((m) => m.doctor),
    schema: () => import('./schema.ts').then((m) => m.schema),
  },
}
