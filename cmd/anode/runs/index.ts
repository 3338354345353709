// `anode runs`: starts, lists and cancels runs in the background; shows, merges and drops their changes.
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
