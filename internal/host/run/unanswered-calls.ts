// Keeps account of calls that nobody could approve, with the mildest mode that would have let each run.

import type { Agent } from '../../agent/loop.ts'
import { addUnanswered, callSubject, type UnansweredCall } from '../../agent/unanswered-calls.ts'
import { defined } from '../../base/defined.ts'
import { FailureError, UserError } from '../../base/errors.ts'
import type { Mode } from '../../policy/level.ts'
import { levelActions } from '../../policy/presets.ts'
import { authorizeCall } from '../../tool/authorization/authorize.ts'
import type { ApprovalHandler } from '../../tool/ctx.ts'

type Question = Parameters<ApprovalHandler>[0]

/** The same answerer; what it leaves unanswered goes to `list`. `agent` is looked at when that happens. */
export function recordUnanswered(
  ask: ApprovalHandler,
  list: UnansweredCall[],
  agent: () => Agent,
): ApprovalHandler {
  return async (question) => {
    const reply = await ask(question)
    if (reply.unanswered !== true) return reply
    const { tool, args, always } = question
    const [offer, more] = always ?? []
    const mode = await mildestMode(question, agent())
    addUnanswered(list, {
      tool,
      subject: callSubject(args),
      ...defined({ mode, rule: more ? undefined : offer?.rule }),
    })
    return reply
  }
}

/**
 * The first mode, mildest first, in which the call is allowed; undefined where only a rule or a person can.
 */
async function mildestMode({ tool, args }: Question, { catalog, ctx }: Agent): Promise<Mode | undefined> {
  const entry = catalog.findNative(tool)
  if (!entry) return undefined
  const found = await entry.load()
  for (const mode of Object.keys(levelActions) as Mode[]) {
    const policy = { ...ctx.policy, mode }
    try {
      if ((await authorizeCall(found, { ...args }, { ...ctx, policy })).decision.action === 'allow')
        return mode
    } catch (error) {
      // a place that cannot be looked at any more is no reason to end the run
      if (error instanceof FailureError || error instanceof UserError) return undefined
      throw error
    }
  }
  return undefined
}
