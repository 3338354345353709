// The verb `anode runs`, whose commands start, list and cancel runs in the background, and show, merge and
// drop their changes.
import type { VerbGroup } from '../verb.ts'

export const runs: VerbGroup = {
  name: 'runs',
  summary: 'Start runs that outlive the terminal, list them, end them, take over their work',
  verbs: {
    start: () => import('./start.ts').then((m) => m.start),
    list: () => import('./list.ts').then((m) => m.list),
    cancel: () => import('./cancel.ts').then((m) => m.cancel),
    diff: () => import('./diff.ts').then((m) => m.diff),
    merge: () => import('./merge.ts').then((m) => m.merge),
    drop: () => import('./drop.ts').then((m) => m.drop),
  },
}
