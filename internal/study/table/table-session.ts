// A conversation without tools about a table: for one row, or for the summary.
import type { Model, RequestMeta } from '../../model/model.ts'
import type { Fence, Journal, JournalLine } from '../../store/journal/journal.ts'
import type { Ctx } from '../../tool/ctx.ts'
import type { StudyHead } from '../log/entries.ts'
import { emptyInbox } from '../worker/mail-inbox.ts'
import { openTaskSession, type TaskSession, type TaskSessionOptions } from '../worker/task-session.ts'
import { workShare } from '../worker/worker-budget.ts'

/** The process that leads the conversation: a worker, or the coordinator. */
export interface TableSessionHost extends Pick<TaskSessionOptions, 'check' | 'cut'> {
  journal: Journal
  head: StudyHead
  fence: Fence
  model: Model
  ctx: Ctx
}

interface TablePrompt {
  /** Key of the steps in the log. */
  key: string
  system: string
  opening: string
  purpose: Extract<RequestMeta['purpose'], 'work' | 'synthesise'>
}

/**
 * Largest number of responses in one conversation, also over resumes. A row needs one, and a second one
 * for a correction.
 */
const maxSteps = 4

/** Opens the conversation, which resumes from `lines`. */
export function openTableSession(
  { journal, head, fence, model, ctx, check, cut: cutSignal }: TableSessionHost,
  { key, system, opening, purpose }: TablePrompt,
  lines: readonly JournalLine[],
): TaskSession {
  const { budget, deadline } = head
  const budgetLease = {
    journal,
    study: head.id,
    fence,
    task: key,
    share: purpose === 'work' ? workShare : 1,
    cap: budget.perWorkerTokens === undefined ? {} : { tokens: budget.perWorkerTokens },
    priced: budget.usd !== undefined,
    cwd: ctx.cwd,
  }
  const options = { budgetLease, model, tools: [], specs: [], ctx, system: system.trim(), opening, purpose }
  return openTaskSession(
    { ...options, maxSteps, deadline, mailInbox: emptyInbox, check, cut: cutSignal },
    lines,
  )
}
