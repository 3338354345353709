// The verb `anode serve`, whose commands start and stop the server of a data directory, and issue its tokens.
import type { VerbGroup } from '../verb.ts'

export const serve: VerbGroup = {
  name: 'serve',
  summary: 'Serve runs, conversations and studies to programs of this machine, over HTTP',
  verbs: {
    start: () => import('./start.ts').then((m) => m.start),
    stop: () => import('./stop.ts').then((m) => m.stop),
    token: () => import('./token.ts').then((m) => m.token),
  },
  otherwise: () => import('./start.ts').then((m) => m.start),
  runsAlone: true,
}
