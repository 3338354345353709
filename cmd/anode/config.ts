// `anode config`: what is configured, where from, and whether it is sound.
import type { Group } from './verb.ts'

export const config: Group = {
  name: 'config',
  summary: 'Show the configuration and where each value comes from, or check it',
  verbs: {
    list: () => import('./config/list.ts').then((m) => m.list),
    path: () => import('./config/path.ts').then((m) => m.path),
    doctor: () => import('./config/doctor.ts').then((m) => m.doctor),
    schema: () => import('./config/schema.ts').then((m) => m.schema),
  },
}
