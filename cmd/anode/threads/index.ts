// The verb `anode threads`, whose commands list, search, show, export, archive and delete stored threads.
import type { VerbGroup } from '../verb.ts'

export const threads: VerbGroup = {
  name: 'threads',
  summary: 'List, search, show, export, archive or delete stored threads',
  verbs: {
    list: () => import('./list.ts').then((m) => m.list),
    search: () => import('./search.ts').then((m) => m.search),
    show: () => import('./show.ts').then((m) => m.show),
    export: () => import('./export.ts').then((m) => m.exportThread),
    archive: () => import('./archive.ts').then((m) => m.archive),
    delete: () => import('./delete.ts').then((m) => m.deleteThread),
  },
}
