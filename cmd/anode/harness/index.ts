// The verb `anode harness`, whose commands record another command, replay it without a model, step through it
// and compare runs.
import type { VerbGroup } from '../verb.ts'
import { list } from './list.ts'

export const harness: VerbGroup = {
  name: 'harness',
  summary: 'Record a command, replay it without a model, step through it, compare two runs',
  verbs: {
    record: () => import('./record.ts').then((m) => m.record),
    replay: () => import('./replay.ts').then((m) => m.replay),
    step: () => import('./step.ts').then((m) => m.step),
    inspect: () => import('./inspect.ts').then((m) => m.inspect),
    list,
    delete: () => import('./delete.ts').then((m) => m.remove),
  },
}
