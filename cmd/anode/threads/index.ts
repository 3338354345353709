// The verb `anode threads`, whose commands list, search, show, export, archive and delete stored threads.
import type { VerbGroup } from '../verb.ts'
import { archive } from './archive.ts'
import { deleteThread } from './delete.ts'
import { exportThread } from './export.ts'
import { list } from './list.ts'
import { search } from './search.ts'
import { show } from './show.ts'

export const threads: VerbGroup = {
  name: 'threads',
  summary: 'List, search, show, export, archive or delete stored threads',
  verbs: {
    list,
    search,
    show,
    export: exportThread,
    archive,
    delete: deleteThread,
  },
}
