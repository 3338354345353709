// The verb `anode worker`, which works on studies of a server, and lists the workers of a server
// or this machine.
import type { VerbGroup } from '../verb.ts'
import { listVerb } from './list.ts'
import { serveWorker } from './serve.ts'

export const worker: VerbGroup = {
  name: 'worker',
  summary: serveWorker.summary,
  otherwise: async () => serveWorker,
  runsAlone: true,
  verbs: { list: async () => listVerb },
}
