// The verb `anode config`, whose commands show, change and check the configuration.
import type { VerbGroup } from '../verb.ts'
import { list } from './list.ts'
import { path } from './path.ts'
import { schema } from './schema.ts'

const loadChecking = async () => (await import('./checking-verbs.ts')).checkingVerbs

export const config: VerbGroup = {
  name: 'config',
  summary: 'Show, change or check the configuration, and where each value comes from',
  verbs: {
    list,
    path,
    set: async () => (await loadChecking()).set,
    unset: async () => (await loadChecking()).unset,
    doctor: async () => (await loadChecking()).doctor,
    schema,
  },
}
