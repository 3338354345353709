// The verb `anode cron` for jobs that run on a schedule. Its commands list, add, remove, enable, disable and
// run jobs, and show their past runs and next times.
import type { VerbGroup } from '../verb.ts'
import { add } from './add.ts'
import { disable, enable } from './enable.ts'
import { history } from './history.ts'
import { list } from './list.ts'
import { next } from './next.ts'
import { remove } from './remove.ts'
import { run } from './run.ts'

export const cron: VerbGroup = {
  name: 'cron',
  summary: 'Run a task, a study or experiments on a schedule',
  verbs: {
    list,
    add,
    remove,
    enable,
    disable,
    run,
    history,
    next,
  },
}
