// The verb `anode serve`, whose commands start and stop the server of a data directory, and issue its tokens.
import type { VerbGroup } from '../verb.ts'
import { token } from './token.ts'

const loadServer = async () => (await import('./server-verbs.ts')).serverVerbs
const loadStart = async () => (await loadServer()).start

export const serve: VerbGroup = {
  name: 'serve',
  summary: 'Serve runs, conversations and studies to programs of this machine, over HTTP',
  verbs: {
    start: loadStart,
    stop: async () => (await loadServer()).stop,
    token,
  },
  otherwise: loadStart,
  runsAlone: true,
}
