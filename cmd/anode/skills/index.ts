// The verb `anode skills`, whose commands list the skills, or show the instructions of one.
import type { VerbGroup } from '../verb.ts'

export const skills: VerbGroup = {
  name: 'skills',
  summary: 'List the skills, or show the instructions of one',
  verbs: {
    list: () => import('./list.ts').then((m) => m.list),
    show: () => import('./show.ts').then((m) => m.show),
  },
}
