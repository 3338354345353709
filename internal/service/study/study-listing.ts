// The studies of this machine as a list: what each asked, where it stands and what it has cost.

import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { type TokenFields, tokenFields } from '../../base/text/token-kinds.ts'
import { type LocalJournal, openJournal } from '../../store/journal/sqlite.ts'
import type { StudyHead, StudyStatus } from '../../study/log/entries.ts'
import { nameOutcome } from '../../study/log/outcome-name.ts'
import { foldStudy } from '../../study/log/state.ts'
import { isAbandoned } from './known-studies.ts'

/** The keys are those of `study list --json` and stay. */
export interface StudySummary {
  id: string
  question: string
  status: StudyStatus
  /** The status in words. */
  outcome: string
  reason: string | null
  /** Its process is gone without having ended it; `study resume` goes on. */
  abandoned: boolean
  /** Milliseconds since 1970. */
  created: number
  updated: number
  /** Real path of the workspace it was started in. */
  workspace: string
  model: StudyHead['model']
  tokens: number
  usage: TokenFields
  usd: number | null
  tokens_estimated: boolean
  /** Entries of its log. */
  entries: number
}

interface ListingQuery {
  cwd: string
  env: EnvironmentVariables
  /** Of all workspaces, not only that of `cwd`. */
  everywhere: boolean
  limit?: number
}

/** What a summary is folded from. */
const kinds = ['study', 'limits', 'step', 'status']

/** Newest first; none where nothing was ever stored. Makes no database. */
export async function summarizeStudies(query: ListingQuery): Promise<StudySummary[]> {
  const dir = dataDir(query.env)
  if (!existsSync(join(dir, 'anode.db'))) return []
  const journal = await openJournal(dir)
  try {
    const { limit } = query
    const known = journal.studies.list({
      project: query.everywhere ? undefined : realpathSync(query.cwd),
      limit,
    })
    return known.flatMap(({ id, lines }) => summarize(journal, id, lines))
  } finally {
    await journal.close()
  }
}

/** None for a log that does not begin with a head: it has been cut, and no command could show it. */
function summarize({ studies }: LocalJournal, id: string, entries: number): StudySummary[] {
  const lines = studies.lines(id, kinds)
  if (lines[0]?.kind !== 'study') return []
  const state = foldStudy(lines)
  const { head, status, reason, usage } = state
  return [
    {
      id,
      question: head.question,
      status,
      outcome: nameOutcome({ model: head.model, status, reason }),
      reason: reason ?? null,
      abandoned: isAbandoned(state),
      created: head.created,
      updated: studies.updated(id) ?? state.updated,
      workspace: head.project,
      model: head.model,
      tokens: usage.input + usage.output,
      usage: tokenFields(usage),
      usd: usage.usd,
      tokens_estimated: usage.estimated,
      entries,
    },
  ]
}
