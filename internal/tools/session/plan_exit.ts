// The tool plan_exit: shows the plan to the user, who decides whether planning is over.
import { closeSync, existsSync } from 'node:fs'
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { openPlain, readPrefix } from '../../base/files/open-file.ts'
import { trimCut } from '../../base/text/text-encoding.ts'
import { defineTool } from '../../tool/tool.ts'
import about from './plan_exit.md'

/** Largest part of the plan that the question to the user shows, in bytes. */
const maxShownBytes = 8192

interface PlanVerdict {
  status: 'approved' | 'declined' | 'no_user_available'
  comment: string | null
}

export const planExit = defineTool({
  name: 'plan_exit',
  about,
  offer: { optional: true },
  input: z.object({}),
  example: {},
  level: 'interactive',
  available: (ctx) => (ctx.can.plan ? true : 'only a session of an agent can plan'),
  async run(_args, ctx) {
    const { plan, user } = ctx.can
    const path = plan?.active()
    if (!plan || path === undefined) {
      const message = 'no plan is being made'
      throw new FailureError({ code: 'not_planning', message, hint: 'Begin with `plan_enter`.' })
    }
    const text = await readPlan(path)
    const id = 'plan'
    const question = `The plan (${path}):\n\n${text}\n\nContinue with it?`
    const reply = user
      ? await user.ask(
          { from: 'the model', call: ctx.call.id, questions: [{ ...choices, id, question }] },
          ctx.signal,
        )
      : { status: 'no_user_available' as const, why: 'no user can answer' }
    const verdict = verdictOf(
      reply.status === 'answered' ? reply.answers.find((one) => one.id === id) : reply,
    )
    if (verdict.status === 'approved') await plan.leave()
    const messageFollows = reply.status === 'dismissed' && reply.messageFollows === true
    return { text: describeVerdict(verdict, messageFollows), data: verdict }
  },
})

const choices = {
  options: [
    { id: 'approve', label: 'Approve: the work may begin' },
    { id: 'keep', label: 'Keep planning' },
  ],
  allowFreeform: true,
  required: true,
}

async function readPlan(path: string): Promise<string> {
  const empty = new FailureError({
    code: 'plan_empty',
    message: `${path} is empty`,
    hint: 'Write the plan first.',
  })
  if (!existsSync(path)) throw empty
  const opened = openPlain(path)
  const { bytes, whole } = await readPrefix(opened, maxShownBytes).finally(() => closeSync(opened.fd))
  const text = (whole ? bytes : trimCut(bytes)).toString('utf8').trim()
  if (text === '') throw empty
  return whole ? text : `${text}\n[the rest is in the file]`
}

type PlanReply =
  | { option?: string; text?: string }
  | { status: 'dismissed' | 'no_user_available' }
  | undefined

/**
 * Returns the user's verdict on the plan. Only the option for approval approves it; any other reply,
 * a dismissal or a missing reply declines it. A typed text is the comment. Without a user, the
 * status is `no_user_available`.
 */
function verdictOf(reply: PlanReply): PlanVerdict {
  if (reply && 'status' in reply) {
    return { status: reply.status === 'dismissed' ? 'declined' : reply.status, comment: null }
  }
  const comment = reply?.text?.trim() || null
  return { status: reply?.option === 'approve' ? 'approved' : 'declined', comment }
}

function describeVerdict({ status, comment }: PlanVerdict, messageFollows: boolean): string {
  if (messageFollows) return 'planning continues: the user answered with a message instead, which follows'
  if (status === 'approved') return `the plan is approved${comment ? `: ${comment}` : ''}; continue with it`
  if (status === 'declined') return `planning continues${comment ? `: ${comment}` : ''}`
  return 'no user can approve the plan; planning continues: end with the plan as your answer'
}
