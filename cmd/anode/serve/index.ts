// The verb `anode serve`, whose commands start and stop the server of a data directory, and issue its tokens.
import type { VerbGroup } from '../verb.ts'
import { token } from './token.ts'

const loadStart = () => import('./start.ts').then((m) => m.start)

export const serve: VerbGroup = {
  name: 'serve',
  summary: 'Serve runs, conversations and studies to programs of this machine, over HTTP',
  verbs: {
    start: loadStart,
    stop: () => import('./stop.ts').then((m) => m.stop),
    token,
  },
  otherwise: loadStart,
  runsAlone: true,
}
