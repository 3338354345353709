// The verb `anode profiles`, whose commands list the profiles, or show one with its tools and prompt.
import type { VerbGroup } from '../verb.ts'
import { list } from './list.ts'
import { show } from './show.ts'

export const profiles: VerbGroup = {
  name: 'profiles',
  summary: 'List the profiles, or show one with its tools and prompt',
  verbs: {
    list,
    show,
  },
}
