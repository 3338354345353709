// `anode runs`: runs that go on without a terminal.
import type { VerbGroup } from '../verb.ts'

export const runs: VerbGroup = {
  name: 'runs',
  summary: 'Start runs that outlive the terminal, list them, end them; `anode attach` joins one',
  verbs: {
    start: () => import('./start.ts').then((m) => m.start),
    list: () => import('./list.ts').then((m) => m.list),
    cancel: () => import('./cancel.ts').then((m) => m.cancel),
  },
}
