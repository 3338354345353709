// The verb `anode harness`, whose commands record another command, replay it without a model, step through it
// and compare runs.
import type { VerbGroup } from '../verb.ts'
import { remove } from './delete.ts'
import { list } from './list.ts'

const loadRecording = async () => (await import('./recording-verbs.ts')).recordingVerbs
const loadReading = async () => (await import('./reading-verbs.ts')).readingVerbs

export const harness: VerbGroup = {
  name: 'harness',
  summary: 'Record a command, replay it without a model, step through it, compare two runs',
  verbs: {
    record: async () => (await loadRecording()).record,
    replay: async () => (await loadRecording()).replay,
    step: async () => (await loadReading()).step,
    inspect: async () => (await loadReading()).inspect,
    list,
    delete: remove,
  },
}
