// The verb `anode plugins`, which shows the plugins (processes that extend Anode) that are active here.
import type { VerbGroup } from '../verb.ts'
import { list } from './list.ts'

export const plugins: VerbGroup = {
  name: 'plugins',
  summary: 'List the process plugins in force, and why others are not',
  verbs: { list },
}
