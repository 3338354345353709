// Studies for tools: started in separate processes, awaited, and verified again.
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataDir } from '../../base/dirs.ts'
import { FailureError } from '../../base/errors.ts'
import { startDetached } from '../../process/detached-start.ts'
import type { ExperimentLocation } from '../../runtime/features.ts'
import { listJournalLines } from '../../store/journal/lines.ts'
import { type LocalJournal, openJournal } from '../../store/journal/sqlite.ts'
import { viewRound } from '../../study/log/round.ts'
import { foldStudy, type StudyState } from '../../study/log/state.ts'
import { isStudyOver } from '../../study/log/task-end.ts'
import { renderStudy } from '../../study/report/markdown.ts'
import { fileReaderBelow } from '../../study/verify/source-reader.ts'
import { verifyClaims } from '../../study/verify/verification.ts'
import type { VerificationCapability } from '../../tool/verification.ts'

type WorkspaceLocation = Pick<ExperimentLocation, 'workspace' | 'env'>
type CapabilityResult<Name extends keyof VerificationCapability> = ReturnType<VerificationCapability[Name]>

/** Milliseconds between two reads of the log of a study that another process writes. */
const lookMs = 200
/** Longest time in milliseconds from the start of a new study until it is stored. */
const startMs = 30_000

/**
 * Returns the claims of a study, each checked against the files as they are now. A claim that cannot be
 * checked gets `not_found`. Throws FailureError `not_found` for an unknown study.
 */
export const verifyStoredStudy = (location: WorkspaceLocation, id: string): CapabilityResult<'verifyStudy'> =>
  withJournal(location, async (journal) => {
    const state = await readStudy(journal, location, id)
    const claims = new Map(state.rounds.flatMap((_, n) => [...viewRound(state, n).claims]))
    const { verdicts, accuracy, support } = await verifyClaims(
      { ...state, claims },
      fileReaderBelow(state.head.root),
    )
    return {
      id: state.head.id,
      accuracy,
      support,
      claims: verdicts.map(({ claim, state: verdict, reason, sourceChanged }) => ({
        id: claim,
        text: claims.get(claim)?.text ?? '',
        state: verdict ?? 'not_found',
        reason,
        source_changed: sourceChanged,
      })),
    }
  })

/**
 * Starts a study that continues without this process. Resolves to its ID as soon as it is stored. Throws
 * FailureError `run_failed` if it ends, or 30 seconds pass, before it is stored, and the reason of `signal`
 * if that aborts.
 */
export const startStudyProcess = async (
  location: WorkspaceLocation,
  question: string,
  signal: AbortSignal,
): CapabilityResult<'startStudy'> => {
  const { workspace, env } = location
  const before = await listIds(location)
  const child = startDetached(['study', '--', question], { cwd: workspace, env })
  const process_ = { hasEnded: false }
  void child.ended.then(() => {
    process_.hasEnded = true
  })
  for (let waited = 0; waited < startMs; waited += lookMs) {
    signal.throwIfAborted()
    const hasEnded = process_.hasEnded
    const [id] = (await listIds(location, question)).filter((one) => !before.includes(one))
    if (id !== undefined) return id
    if (hasEnded) break
    await sleep(lookMs)
  }
  throw new FailureError({
    code: 'run_failed',
    message: 'the study did not start',
    hint: 'Run it in a terminal to see why: anode study QUESTION',
  })
}

/**
 * Returns the ids of the latest 20 studies of this workspace, latest first. With `question`, returns only
 * those of these 20 that have that question.
 */
async function listIds(location: WorkspaceLocation, question?: string): Promise<string[]> {
  if (!existsSync(join(dataDir(location.env), 'anode.db'))) return []
  return withJournal(location, async (journal) => {
    const studies = journal.studies.list({ project: realpathSync(location.workspace), limit: 20 })
    if (question === undefined) return studies.map(({ id }) => id)
    const states = await Promise.all(
      studies.map(async ({ id }) => foldStudy(await listJournalLines(journal, id))),
    )
    return states.filter(({ head }) => head.question === question).map(({ head }) => head.id)
  })
}

export const awaitStoredStudy = (
  location: WorkspaceLocation,
  id: string,
  waitMs: number,
  signal: AbortSignal,
): CapabilityResult<'awaitStudy'> =>
  withJournal(location, async (journal) => {
    let state = await readStudy(journal, location, id)
    for (let waited = 0; waited < waitMs && !isStudyOver(state); waited += lookMs) {
      signal.throwIfAborted()
      await sleep(lookMs)
      state = await readStudy(journal, location, id)
    }
    const { head, status } = state
    const isOver = isStudyOver(state)
    return { id: head.id, status, isOver, question: head.question, report: renderStudy(state) }
  })

async function withJournal<T>(
  { env }: WorkspaceLocation,
  use: (journal: LocalJournal) => Promise<T>,
): Promise<T> {
  const journal = await openJournal(dataDir(env))
  try {
    return await use(journal)
  } finally {
    await journal.close()
  }
}

/**
 * Reads the study of this workspace with this ID or unique prefix of at least 4 characters. Throws
 * FailureError `not_found` without one, and for a shorter or ambiguous prefix.
 */
async function readStudy(
  journal: LocalJournal,
  { workspace }: WorkspaceLocation,
  id: string,
): Promise<StudyState> {
  const project = realpathSync(workspace)
  const studyIds = journal.studies.list({ project }).map((one) => one.id)
  const [study, ...others] = studyIds.filter((one) => one.startsWith(id))
  if (study === undefined || others.length > 0 || id.length < 4)
    throw new FailureError({
      code: 'not_found',
      message: `study "${id}" not found in this workspace`,
      hint: 'Call study with a question to start one.',
    })
  return foldStudy(await listJournalLines(journal, study))
}
