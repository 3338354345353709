// The studies of this machine as a list: question, status and cost of each.

import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { type TokenFields, tokenFields } from '../../base/text/token-kinds.ts'
import { type LocalJournal, openJournal } from '../../store/journal/sqlite.ts'
import type { StudyHead, StudyStatus } from '../../study/log/entries.ts'
import { foldStudy } from '../../study/log/state.ts'
import { nameOutcome } from '../../study/log/task-end.ts'
import { isAbandoned } from './known-studies.ts'

/** A row of `study list --json`; the keys are stable. */
export interface StudySummary {
  id: string
  question: string
  status: StudyStatus
  /** The status as text. */
  outcome: string
  reason: string | null
  /**
   * True if the study's process ran on this machine and died before the study ended. `study resume` continues
   * such a study.
   */
  abandoned: boolean
  /** Creation of the study, in milliseconds since 1970; `updated` is its last change. */
  created: number
  updated: number
  /** Real path of the workspace in which it started. */
  workspace: string
  model: StudyHead['model']
  tokens: number
  usage: TokenFields
  usd: number | null
  tokens_estimated: boolean
  /** Number of entries in the log of the study. */
  entries: number
}

interface ListingQuery {
  cwd: string
  env: EnvironmentVariables
  /** Whether to list the studies of all workspaces, not only that of `cwd`. */
  everywhere: boolean
  limit?: number
}

/** Kinds of log entries that contain the data of a summary. */
const kinds = ['study', 'limits', 'step', 'status']

/**
 * Returns at most `limit` studies, latest first; empty if none is stored. A study whose log lacks its first
 * entry is left out. Does not create a database.
 */
export async function summarizeStudies(query: ListingQuery): Promise<StudySummary[]> {
  const dir = dataDir(query.env)
  if (!existsSync(join(dir, 'anode.db'))) return []
  const journal = await openJournal(dir)
  try {
    const { limit } = query
    const studies = journal.studies.list({
      project: query.everywhere ? undefined : realpathSync(query.cwd),
      limit,
    })
    return studies.flatMap(({ id, lines }) => summarizeStudy(journal, id, lines))
  } finally {
    await journal.close()
  }
}

/**
 * Returns a list with the summary, or an empty list if the log lacks its first entry, without which
 * no command can show the study.
 */
function summarizeStudy({ studies }: LocalJournal, id: string, entries: number): StudySummary[] {
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
