// `anode config`: what is configured, where from, and whether it is sound.
import type { Group } from './verb.ts'

export const config: Group = {
  name: 'config',
  summary: 'Show, change or check the configuration, and where each value comes from',
  verbs: {
    list: () => import('./config/list.ts').then((m) => m.list),
    path: () => import('./config/path.ts').then((m) => m.path),
    set: () => import('./config/set.ts').then((m) => m.set),
    unset: () => import('./config/unset.ts').then((m) => m.unset),
    doctor: () => import('./config/doctor.ts').then((m) => m.doctor),
    schema: () => import('./config/schema.ts').then((m) => m.schema),
  },
}
