// The verb `anode models`, whose commands list the providers and their models, check one model, and
// update the catalog.
import type { VerbGroup } from '../verb.ts'
import { check } from './check.ts'
import { overview } from './overview.ts'

export const models: VerbGroup = {
  name: 'models',
  summary: 'List the providers of models with their keys, and the model that is used when none is named',
  otherwise: overview,
  runsAlone: true,
  verbs: {
    list: () => import('./list.ts').then((m) => m.list),
    check,
    update: () => import('./update.ts').then((m) => m.update),
  },
}
