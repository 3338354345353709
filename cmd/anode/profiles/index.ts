// `anode profiles`: which profiles there are and what they grant.
import type { VerbGroup } from '../verb.ts'

export const profiles: VerbGroup = {
  name: 'profiles',
  summary: 'List the profiles, or show one with its tools and prompt',
  verbs: {
    list: () => import('./list.ts').then((m) => m.list),
    show: () => import('./show.ts').then((m) => m.show),
  },
}
