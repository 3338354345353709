// The verb `anode profiles`, whose commands list the profiles, or show one with its tools and prompt.
import type { VerbGroup } from '../verb.ts'

export const profiles: VerbGroup = {
  name: 'profiles',
  summary: 'List the profiles, or show one with its tools and prompt',
  verbs: {
    list: () => import('./list.ts').then((m) => m.list),
    show: () => import('./show.ts').then((m) => m.show),
  },
}
