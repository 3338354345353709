// The verb `anode hooks`, whose commands list the active hooks and test the effect of hooks on an event.
import type { VerbGroup } from '../verb.ts'

export const hooks: VerbGroup = {
  name: 'hooks',
  summary: 'List the hooks in force, or try what they say to an event',
  verbs: {
    list: () => import('./list.ts').then((m) => m.list),
    test: () => import('./test.ts').then((m) => m.test),
  },
}
