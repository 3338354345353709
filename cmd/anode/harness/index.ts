// The verb `anode harness`, whose commands record another command, replay it without a model, step through it
// and compare runs.
import type { VerbGroup } from '../verb.ts'
import { remove } from './delete.ts'
import { inspect } from './inspect.ts'
import { list } from './list.ts'
import { record } from './record.ts'
import { replay } from './replay.ts'
import { step } from './step.ts'

export const harness: VerbGroup = {
  name: 'harness',
  summary: 'Record a command, replay it without a model, step through it, compare two runs',
  verbs: {
    record,
    replay,
    step,
    inspect,
    list,
    delete: remove,
  },
}
