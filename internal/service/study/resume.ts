// Resumption and cancellation of studies, based on the local log.

import { UserError } from '../../base/errors.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import type { Model } from '../../model/model.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Journal, JournalLine, NewJournalLine } from '../../store/journal/journal.ts'
import { forcedReason } from '../../study/coordinator/coordinator.ts'
import { demandNoCoordinator } from '../../study/coordinator/coordinator-lease.ts'
import { makeStudyEntry, type StudyHead } from '../../study/log/entries.ts'
import type { StudyState } from '../../study/log/state.ts'
import type { StudyLimits } from '../../study/log/study-conditions.ts'
import { isLimited, isStudyOver, type TaskState } from '../../study/log/task-end.ts'
import { isCorpusUntouched } from '../../study/plan/corpus-change.ts'
import { listTableLines } from '../../study/table/table-lines.ts'
import { addEnginePassword } from '../features/mailbox.ts'
import { releaseDeadLeases } from './backend.ts'
import { withStudy } from './known-studies.ts'
import { budgetLimits, drawCorpusMap, surveySources, withStudyRuntime } from './request.ts'
import {
  backendOptions,
  runCoordinator,
  type StudyRun,
  type WorkerPlacement,
  withLocalJournal,
  withStudyServer,
} from './run-study.ts'
import { findTableFiles, sampleFiles } from './table-files.ts'
import { pickStudyModel, wasAllowed } from './worker-environment.ts'

/**
 * New limits for a resumed study. Limits that are not set keep their value, but the full time
 * limit starts again.
 */
export interface RenewedLimits {
  budget: StudyLimits['budget']
  deadlineMs?: number
}

type ResumePlacement = Omit<WorkerPlacement, 'engine'> & { engine?: string }

/**
 * Resumes a study and returns its state at the end. Throws UserError for an unknown study, and (exit 1) if
 * nothing is left to do or if another process runs the study.
 */
export async function resumeStudy(
  name: string,
  limits: RenewedLimits,
  placement: ResumePlacement,
  run: StudyRun,
): Promise<StudyState> {
  const before = await withStudy(name, run, (study) => study.state())
  const { head } = before
  const reopened = head.table ? [] : tasksToReopen(before, limits)
  const demandWork = (count: number) => {
    if (!isEnded(before) || count > 0) return
    throw new UserError(`study ${head.id} is ${before.status}: nothing is left to resume`, {
      hint: `anode study report ${head.id} shows what it found`,
      exit: 1,
    })
  }
  if (!head.table) demandWork(reopened.length)
  return reopenStudy(before, placement, run, {
    question: before.rounds[before.round]?.question ?? head.question,
    first: async (journal, restored, runtime) => {
      const rows = await findTableWork(before, runtime, run)
      if (head.table) demandWork(rows.length)
      const batch: NewJournalLine[] = [
        ...restored,
        ...rows,
        ...reopened.map(({ task }) => makeStudyEntry('task.reopened', { task: task.id })),
        makeStudyEntry('limits', renewLimits(head, limits)),
      ]
      await journal.append(head.id, batch)
      await journal.limit(head.id, budgetLimits(renewLimits(head, limits).budget))
    },
  })
}

/**
 * Returns journal lines with work for documents of a table that have no row, are new or have changed; an
 * empty list for a study without a table.
 */
async function findTableWork(
  before: StudyState,
  { resources }: Runtime,
  { env, signal }: StudyRun,
): Promise<NewJournalLine[]> {
  const { root, table } = before.head
  if (!table) return []
  const files = await findTableFiles(table.documents, { root, env, signal, run: resources.can.processes.run })
  return listTableLines(before, sampleFiles(files, table.sample))
}

interface ReopenOptions {
  /** The question for which the sources are read. */
  question: string
  /** Called with the model before anything is written. If it rejects, the study does not run. */
  approve?(model: Model): Promise<void>
  /**
   * Called before this process becomes the coordinator. `restored` contains a notice with the number of lines
   * that the server had lost, or nothing.
   */
  first?(journal: Journal, restored: readonly NewJournalLine[], runtime: Runtime): Promise<void>
  /**
   * Returns journal lines that are written once this process is the coordinator, which no other process can
   * be at that time.
   */
  begin?(state: StudyState, journal: Journal): Promise<readonly NewJournalLine[]>
}

/**
 * Runs an existing study again with its engine, model and sources. Returns its state at the end. Throws
 * UserError (exit 1) while another process runs the study.
 */
export async function reopenStudy(
  before: StudyState,
  placement: ResumePlacement,
  run: StudyRun,
  { question, approve, first, begin }: ReopenOptions,
): Promise<StudyState> {
  const { head } = before
  const engineUrl = placement.engine ?? (run.env['ANODE_ENGINE'] || undefined)
  const engine = head.engine === 'embedded' ? 'embedded' : await addEnginePassword(head.engine, engineUrl)
  const show = (line: JournalLine) => run.show(line, line.seq <= before.seq)
  const here = { ...run, cwd: head.project, show }
  return withStudyRuntime(here, head.sources, (runtime) =>
    withStudyServer({ ...placement, engine }, run, async (server) => {
      const { model } = await pickStudyModel(runtime, head.model.name, head.project, run.env, wasAllowed)
      await approve?.(model)
      const { isSame, frequency, map } = await compareSources(before, question, runtime, run.signal)
      if (!isSame) run.note('the files have changed since the study began; evidence keeps what was read then')
      return withLocalJournal(run, async (local) => {
        const parts = {
          head,
          model,
          frequency,
          map,
          local,
          runtime,
          run: here,
          placement: { ...placement, engine },
          server,
        }
        const lines = server ? await server.restore(backendOptions(parts), before) : 0
        const restored =
          lines > 0
            ? [makeStudyEntry('notice', { code: 'journal_restored', text: countNoun(lines, 'line') })]
            : []
        return runCoordinator(
          parts,
          async ({ journal }) => {
            await releaseDeadLeases(journal, head.id)
            await demandNoCoordinator(journal, head.id)
            await first?.(journal, restored, runtime)
          },
          begin && (async (state, journal) => [...restored, ...(await begin(state, journal))]),
        )
      })
    }),
  )
}

/**
 * Compares the files with those of the study. `isSame`: they have not changed, or the study is about a table.
 * `frequency` counts the words of the question in the files. It is empty for a table, for a study by rules,
 * and for a planned study with unchanged files.
 */
async function compareSources(
  { head, plan }: StudyState,
  question: string,
  runtime: Runtime,
  signal: AbortSignal,
): Promise<{ isSame: boolean; frequency: Record<string, number>; map?: string }> {
  // a study of a table counts as unchanged, because its documents are compared one by one later
  if (head.table) return { isSame: true, frequency: {} }
  if (plan && (await isCorpusUntouched(head, runtime.resources.can.processes.run, signal)))
    return { isSame: true, frequency: {} }
  const quiet = { note: () => undefined, signal }
  const corpus = await surveySources({ ...head, question }, runtime, quiet)
  const { id, frequency } = corpus
  return { isSame: id === head.corpus, frequency, map: drawCorpusMap(corpus) }
}

const isEnded = ({ status }: StudyState) => ['done', 'partial', 'failed'].includes(status)

/**
 * Returns the tasks that a limit ended. Tasks that the budget ended are included only if a new budget is set.
 * In an ended study, they belong to the latest partly answered question that has such tasks.
 */
function tasksToReopen(state: StudyState, { budget }: RenewedLimits): TaskState[] {
  const more = Object.keys(givenLimits(budget)).length > 0
  const limited = [...state.tasks.values()].filter(
    (task) => isLimited(task) && (more || (task.result?.end ?? task.notRun) !== 'budget'),
  )
  const rounds = state.rounds.map(({ status }, n) => ({ status, n })).reverse()
  const open = isEnded(state)
    ? rounds.filter(({ status }) => status === 'partial').map(({ n }) => n)
    : [state.round]
  const tasksOfRound = (n: number) => limited.filter(({ round }) => round === n)
  return tasksOfRound(open.find((n) => tasksOfRound(n).length > 0) ?? -1)
}

/** Returns the limits that have a value; the others stay unchanged. */
const givenLimits = (budget: StudyLimits['budget']): StudyLimits['budget'] =>
  Object.fromEntries(Object.entries(budget).filter(([, limit]) => limit !== undefined))

export function renewLimits(
  head: StudyLimits & Pick<StudyHead, 'created'>,
  { budget, deadlineMs }: RenewedLimits,
): StudyLimits {
  const allowedMs = deadlineMs ?? head.allowedMs ?? head.deadline - head.created
  return { deadline: Date.now() + allowedMs, allowedMs, budget: { ...head.budget, ...givenLimits(budget) } }
}

/**
 * Cancels a study. Returns its earlier status; `cancelled` is false if the study had ended before. With
 * `force`, a study that was cancelled without force can be cancelled again, so that its workers end
 * immediately. Throws UserError for an unknown or ambiguous name.
 */
export async function cancelStudy(
  name: string,
  force: boolean,
  run: Pick<StudyRun, 'cwd' | 'env' | 'note'> & { engine?: string },
): Promise<{ id: string; cancelled: boolean; status: string }> {
  return withStudy(name, run, async ({ journal, id, state }) => {
    const { status, reason: before, head } = await state()
    const reason = force ? forcedReason : 'on request'
    const isSettling = status === 'cancelled' && force && before !== reason
    const isOpen = !isStudyOver({ status }) || status === 'paused' || isSettling
    const line = makeStudyEntry('status', { status: 'cancelled', reason })
    if (isOpen && head.engine === 'embedded') await journal.append(id, [line])
    else if (isOpen) {
      const engine = await addEnginePassword(
        head.engine,
        run.engine ?? (run.env['ANODE_ENGINE'] || undefined),
      )
      await withStudyServer({ engine, unsafe: true }, run, async (server) => server?.append(id, [line]))
    }
    return { id, cancelled: isOpen, status }
  })
}
