// The verb `anode cron` for jobs that run on a schedule. Its commands list, add, remove, enable, disable and
// run jobs, and show their past runs and next times.
import type { VerbGroup } from '../verb.ts'

export const cron: VerbGroup = {
  name: 'cron',
  summary: 'Run a task, a study or experiments on a schedule',
  verbs: {
    list: () => import('./list.ts').then((m) => m.list),
    add: () => import('./add.ts').then((m) => m.add),
    remove: () => import('./remove.ts').then((m) => m.remove),
    enable: () => import('./enable.ts').then((m) => m.enable),
    disable: () => import('./enable.ts').then((m) => m.disable),
    run: () => import('./run.ts').then((m) => m.run),
    history: () => import('./history.ts').then((m) => m.history),
    next: () => import('./next.ts').then((m) => m.next),
  },
}
