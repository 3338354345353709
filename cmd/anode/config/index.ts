// The verb `anode config`, whose commands show, change and check the configuration.
import type { VerbGroup } from '../verb.ts'
import { doctor } from './doctor.ts'
import { list } from './list.ts'
import { path } from './path.ts'
import { schema } from './schema.ts'
import { set } from './set.ts'
import { unset } from './unset.ts'

export const config: VerbGroup = {
  name: 'config',
  summary: 'Show, change or check the configuration, and where each value comes from',
  verbs: {
    list,
    path,
    set,
    unset,
    doctor,
    schema,
  },
}
