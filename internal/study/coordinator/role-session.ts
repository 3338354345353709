// The conversations that the coordinator itself has with the model, for the plan and for the report.
import type { RequestMeta } from '../../model/model.ts'
import { aggregatorMailbox } from '../../store/mail/scope.ts'
import { emptyInbox, openMailInbox, releaseMail } from '../worker/mail-inbox.ts'
import { openTaskSession, type TaskSession } from '../worker/task-session.ts'
import type { TaskStop } from '../worker/task-stop.ts'
import { workShare } from '../worker/worker-budget.ts'
import type { CoordinatorLease } from './coordinator-lease.ts'
import type { CoordinatorRole } from './coordinator-options.ts'

/** Opens the conversation of a role and continues it from the log. */
export async function openRoleSession(
  { lead: options, log, fence, gone, cut }: Pick<CoordinatorLease, 'lead' | 'log' | 'fence' | 'gone' | 'cut'>,
  role: CoordinatorRole,
  prompt: { opening: string; meta: Pick<RequestMeta, 'purpose' | 'input'> },
  check: () => Promise<TaskStop | undefined>,
): Promise<TaskSession> {
  const { journal, study, model } = options
  const setup = await options.setUpRole(role, gone)
  const { head, reports } = log.state
  const owner = `${fence.owner} ${fence.epoch}`
  const inbox =
    role === 'plan' ? emptyInbox : openMailInbox(journal.mail, `study:${study}`, aggregatorMailbox, owner)
  const budgetLease = {
    journal,
    study,
    fence,
    // A second report is written in a new conversation, so its task gets another name.
    task: role === 'report' && reports > 0 ? `report${reports + 1}` : role,
    share: role === 'plan' ? workShare : 1,
    cap: {},
    priced: head.budget.usd !== undefined,
    cwd: setup.ctx.cwd,
  }
  // An earlier coordinator may have died after it leased mail, so that mail is released.
  if (role !== 'plan')
    await releaseMail(journal.mail, `study:${study}`, aggregatorMailbox, log.lines, budgetLease.task)
  const { opening, meta } = prompt
  return openTaskSession(
    {
      ...setup,
      ...meta,
      model,
      budgetLease,
      opening,
      deadline: head.deadline,
      mailInbox: inbox,
      check,
      cut,
    },
    log.lines,
  )
}
