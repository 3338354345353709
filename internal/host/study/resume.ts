// Takes a study up again, or ends it: from the log that this machine has of it.
import { UserError } from '../../base/errors.ts'
import type { NewJournalLine } from '../../store/journal/journal.ts'
import { forcedReason } from '../../study/coordinator/coordinator.ts'
import { demandNoCoordinator } from '../../study/coordinator/coordinator-lease.ts'
import { makeStudyEntry, type StudyHead } from '../../study/log/entries.ts'
import type { StudyState, TaskState } from '../../study/log/state.ts'
import { isLimited, isStudyOver } from '../../study/log/task-end.ts'
import { releaseDeadLeases } from './backend.ts'
import { withStudy } from './known-studies.ts'
import { addEnginePassword } from './mailbox.ts'
import { budgetLimits, surveySources, withStudyRuntime } from './request.ts'
import {
  backendOptions,
  runCoordinator,
  type StudyRun,
  type WorkerPlacement,
  withLocalJournal,
  withStudyServer,
} from './run-study.ts'
import { pickStudyModel } from './worker-environment.ts'

/** New totals; what is not given stays, and the time counts anew. */
interface ResumedLimits {
  budget: StudyHead['budget']
  deadlineMs?: number
}

/** Throws UserError (exit 1) for an unknown study and for one in which nothing is left to do. */
export async function resumeStudy(
  name: string,
  limits: ResumedLimits,
  placement: Omit<WorkerPlacement, 'engine'> & { engine?: string },
  run: StudyRun,
): Promise<StudyState> {
  const before = await withStudy(name, run, (found) => found.state())
  const { head } = before
  const reopened = tasksToReopen(before, limits)
  if (
    before.status === 'done' ||
    before.status === 'failed' ||
    (before.status === 'partial' && reopened.length === 0)
  ) {
    throw new UserError(`study ${head.id} is ${before.status}: nothing is left to resume`, {
      hint: `anode study report ${head.id} shows what it found`,
      exit: 1,
    })
  }
  const engineUrl = placement.engine ?? (run.env['ANODE_ENGINE'] || undefined)
  const engine = head.engine === 'embedded' ? 'embedded' : await addEnginePassword(head.engine, engineUrl)
  const here = { ...run, cwd: head.project }
  return withStudyRuntime(here, head.sources, (runtime) =>
    withStudyServer({ ...placement, engine }, run, async (server) => {
      const { model } = await pickStudyModel(runtime, head.model.name, head.project, run.env)
      const { id, frequency } = await surveySources(head.root, head.question, runtime, {
        note: () => undefined,
        signal: run.signal,
      })
      if (id !== head.corpus)
        run.note('the files have changed since the study began; evidence keeps what was read then')
      return withLocalJournal(run, async (local) => {
        const parts = {
          head,
          model,
          frequency,
          local,
          runtime,
          run: here,
          placement: { ...placement, engine },
          server,
        }
        const restored = server ? await server.restore(backendOptions(parts), before) : 0
        const batch: NewJournalLine[] = [
          ...(restored > 0
            ? [makeStudyEntry('notice', { code: 'journal_restored', text: `${restored} lines` })]
            : []),
          ...reopened.map(({ task }) => makeStudyEntry('task.reopened', { task: task.id })),
          makeStudyEntry('limits', renewLimits(head, limits)),
        ]
        return runCoordinator(parts, async ({ journal }) => {
          await releaseDeadLeases(journal, head.id)
          await demandNoCoordinator(journal, head.id)
          await journal.append(head.id, batch)
          await journal.limit(head.id, budgetLimits(renewLimits(head, limits).budget))
        })
      })
    }),
  )
}

/** Tasks that a limit had ended, as far as that limit is another one now. */
function tasksToReopen({ tasks }: StudyState, { budget }: ResumedLimits): TaskState[] {
  const more = Object.keys(budget).length > 0
  return [...tasks.values()].filter(
    (task) => isLimited(task) && (more || (task.result?.end ?? task.notRun) !== 'budget'),
  )
}

function renewLimits(head: StudyHead, { budget, deadlineMs }: ResumedLimits) {
  return {
    deadline: Date.now() + (deadlineMs ?? head.deadline - head.created),
    budget: { ...head.budget, ...budget },
  }
}

/** The state after it; false: it had ended before. */
export async function cancelStudy(
  name: string,
  force: boolean,
  run: Pick<StudyRun, 'cwd' | 'env' | 'note'> & { engine?: string },
): Promise<{ id: string; cancelled: boolean; status: string }> {
  return withStudy(name, run, async ({ journal, id, state }) => {
    const { status, head } = await state()
    const isOpen = !isStudyOver({ status }) || status === 'paused'
    const line = makeStudyEntry('status', {
      status: 'cancelled',
      reason: force ? forcedReason : 'on request',
    })
    if (isOpen && head.engine === 'embedded') await journal.append(id, [line])
    else if (isOpen) {
      const { openStudyServer } = await import('./study-server.ts')
      const url = await addEnginePassword(head.engine, run.engine ?? (run.env['ANODE_ENGINE'] || undefined))
      const server = await openStudyServer(url, { unsafe: true, say: run.note })
      try {
        await server.append(id, [line])
      } finally {
        await server.close()
      }
    }
    return { id, cancelled: isOpen, status }
  })
}
