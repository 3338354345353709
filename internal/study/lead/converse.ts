// The conversations that the coordinator holds itself: the plan and the report.
import type { RequestMeta } from '../../model/model.ts'
import { freeMail, noPost, openPost } from '../work/post.ts'
import type { Stop } from '../work/stop.ts'
import { type Talk, takeUp } from '../work/talk.ts'
import { workShare } from '../work/worker.ts'
import type { Chair } from './chair.ts'
import { aggregator, type Role } from './lead.ts'

/** The conversation of a role, as far as the log has it. */
export async function converse(
  { lead, log, fence, gone }: Pick<Chair, 'lead' | 'log' | 'fence' | 'gone'>,
  role: Role,
  told: { opening: string; meta: Pick<RequestMeta, 'purpose' | 'input'> },
  check: () => Promise<Stop | undefined>,
): Promise<Talk> {
  const { journal, study, model } = lead
  const desk = await lead.desk(role, gone)
  const { head, reports } = log.state
  const owner = `${fence.owner} ${fence.epoch}`
  const post = role === 'plan' ? noPost : openPost(journal.mail, `study:${study}`, aggregator, owner)
  const purse = {
    journal,
    study,
    fence,
    // a second report is another conversation
    task: role === 'report' && reports > 0 ? `report${reports + 1}` : role,
    share: role === 'plan' ? workShare : 1,
    cap: {},
    priced: head.budget.usd !== undefined,
    cwd: desk.ctx.cwd,
  }
  // a coordinator before this one may have died over its mail
  if (role !== 'plan') await freeMail(journal.mail, `study:${study}`, aggregator, log.lines, purse.task)
  const { opening, meta } = told
  return takeUp({ ...desk, ...meta, model, purse, opening, deadline: head.deadline, post, check }, log.lines)
}
