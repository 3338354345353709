// `anode threads`: stored sessions.
import type { Group } from './verb.ts'

export const threads: Group = {
  name: 'threads',
  summary: 'List, search, show, export, archive or delete stored threads',
  verbs: {
    list: () => import('./threads/list.ts').then((m) => m.list),
    search: () => import('./threads/search.ts').then((m) => m.search),
    show: () => import('./threads/show.ts').then((m) => m.show),
    export: () => import('./threads/export.ts').then((m) => m.exportThread),
    archive: () => import('./threads/archive.ts').then((m) => m.archive),
    delete: () => import('./threads/delete.ts').then((m) => m.deleteThread),
  },
}
