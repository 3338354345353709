// `anode skills`: which skills there are and what they say.
import type { Group } from './verb.ts'

export const skills: Group = {
  name: 'skills',
  summary: 'List the skills, or show the instructions of one',
  verbs: {
    list: () => import('./skills/list.ts').then((m) => m.list),
    show: () => import('./skills/show.ts').then((m) => m.show),
  },
}
