// The verb `anode skills`, whose commands list the skills, or show the instructions of one.
import type { VerbGroup } from '../verb.ts'
import { list } from './list.ts'
import { show } from './show.ts'

export const skills: VerbGroup = {
  name: 'skills',
  summary: 'List the skills, or show the instructions of one',
  verbs: {
    list,
    show,
  },
}
