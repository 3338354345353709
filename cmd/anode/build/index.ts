// The verb `anode build`, for builds, in which agents work on tasks in parallel. Its commands start, show,
// control, merge and drop builds.
import type { VerbEntry, VerbGroup } from '../verb.ts'
import { list } from './list.ts'
import { cancel, drop, merge } from './merge.ts'
import { report } from './report.ts'
import { show } from './show.ts'
import { status } from './status.ts'
import type { buildVerbNames } from './verb-names.ts'
import { watch } from './watch.ts'

const loadAgents = async () => (await import('./agent-verbs.ts')).agentVerbs

export const build: VerbGroup = {
  name: 'build',
  summary: 'Split a goal among parallel agents',
  otherwise: async () => (await loadAgents()).start,
  verbs: {
    list,
    status,
    watch,
    show,
    resume: async () => (await loadAgents()).resume,
    retry: async () => (await loadAgents()).retry,
    cancel,
    report,
    merge,
    drop,
  } satisfies Readonly<Record<(typeof buildVerbNames)[number], VerbEntry>>,
}
