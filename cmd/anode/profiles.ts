// `anode profiles`: which profiles there are and what they grant.
import type { Group } from './verb.ts'

export const profiles: Group = {
  name: 'profiles',
  summary: 'List the profiles, or show one with its tools and prompt',
  verbs: {
    list: () => import('./profiles/list.ts').then((m) => m.list),
    show: () => import('./profiles/show.ts').then((m) => m.show),
  },
}
