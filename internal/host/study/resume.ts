// Takes a study up again, or ends it: from the log that this machine has of it.
import { UserError } from '../../base/errors.ts'
import type { NewLine } from '../../store/journal/journal.ts'
import { demandEmpty } from '../../study/lead/chair.ts'
import { forced } from '../../study/lead/coordinate.ts'
import { isLimited } from '../../study/lead/schedule.ts'
import type { StudyState, TaskState } from '../../study/state.ts'
import { entry, type Head } from '../../study/study.ts'
import { withPassword } from './mail.ts'
import { freeDead } from './place.ts'
import { limitsOf, surveyOf, withGround } from './request.ts'
import { modelOf } from './seat.ts'
import { isOver as isEnded, withStudy } from './studies.ts'
import { type Crewing, lead, placing, type StudyRun, withEngine, withLocal } from './study.ts'

/** New totals; what is not given stays, and the time counts anew. */
export interface Again {
  budget: Head['budget']
  deadlineMs?: number
}

/** Throws UserError (exit 1) for an unknown study and for one in which nothing is left to do. */
export async function resumeStudy(
  name: string,
  again: Again,
  crewing: Omit<Crewing, 'engine'> & { engine?: string },
  run: StudyRun,
): Promise<StudyState> {
  const before = await withStudy(name, run, (found) => found.state())
  const { head } = before
  const reopened = tasksToReopen(before, again)
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
  const given = crewing.engine ?? (run.env['ANODE_ENGINE'] || undefined)
  const engine = head.engine === 'embedded' ? 'embedded' : await withPassword(head.engine, given)
  const here = { ...run, cwd: head.project }
  return withGround(here, head.sources, (ground) =>
    withEngine({ ...crewing, engine }, run, async (served) => {
      const { model } = await modelOf(ground, head.model.name, head.project, run.env)
      const { id, frequency } = await surveyOf(head.root, head.question, ground, {
        note: () => undefined,
        signal: run.signal,
      })
      if (id !== head.corpus)
        run.note('the files have changed since the study began; evidence keeps what was read then')
      return withLocal(run, async (local) => {
        const parts = {
          head,
          model,
          frequency,
          local,
          ground,
          run: here,
          crewing: { ...crewing, engine },
          served,
        }
        const restored = served ? await served.restore(placing(parts), before) : 0
        const batch: NewLine[] = [
          ...(restored > 0 ? [entry('notice', { code: 'journal_restored', text: `${restored} lines` })] : []),
          ...reopened.map(({ task }) => entry('task.reopened', { task: task.id })),
          entry('limits', renewed(head, again)),
        ]
        return lead(parts, async ({ journal }) => {
          await freeDead(journal, head.id)
          await demandEmpty(journal, head.id)
          await journal.append(head.id, batch)
          await journal.limit(head.id, limitsOf(renewed(head, again).budget))
        })
      })
    }),
  )
}

/** Tasks that a limit had ended, as far as that limit is another one now. */
function tasksToReopen({ tasks }: StudyState, { budget }: Again): TaskState[] {
  const more = Object.keys(budget).length > 0
  return [...tasks.values()].filter(
    (task) => isLimited(task) && (more || (task.result?.end ?? task.notRun) !== 'budget'),
  )
}

function renewed(head: Head, { budget, deadlineMs }: Again) {
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
    const isOpen = !isEnded({ status }) || status === 'paused'
    const line = entry('status', { status: 'cancelled', reason: force ? forced : 'on request' })
    if (isOpen && head.engine === 'embedded') await journal.append(id, [line])
    else if (isOpen) {
      const { openServed } = await import('./server.ts')
      const url = await withPassword(head.engine, run.engine ?? (run.env['ANODE_ENGINE'] || undefined))
      const served = await openServed(url, { unsafe: true, say: run.note })
      try {
        await served.append(id, [line])
      } finally {
        await served.close()
      }
    }
    return { id, cancelled: isOpen, status }
  })
}
