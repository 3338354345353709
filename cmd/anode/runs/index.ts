// The verb `anode runs`, whose commands start, list and cancel runs in the background, and show, merge and
// drop their changes.
import type { VerbGroup } from '../verb.ts'
import { cancel } from './cancel.ts'
import { diff } from './diff.ts'
import { drop } from './drop.ts'
import { list } from './list.ts'
import { merge } from './merge.ts'
import { start } from './start.ts'

export const runs: VerbGroup = {
  name: 'runs',
  summary: 'Start runs that outlive the terminal, list them, end them, take over their work',
  verbs: {
    start,
    list,
    cancel,
    diff,
    merge,
    drop,
  },
}
