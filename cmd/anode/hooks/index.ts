// The verb `anode hooks`, whose commands list the active hooks and test the effect of hooks on an event.
import type { VerbGroup } from '../verb.ts'
import { list } from './list.ts'
import { test } from './test.ts'

export const hooks: VerbGroup = {
  name: 'hooks',
  summary: 'List the hooks in force, or try what they say to an event',
  verbs: {
    list,
    test,
  },
}
