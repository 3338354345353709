// Keeps account of calls that nobody could approve, with the mildest mode that would have let each run.
import type { Agent } from '../agent/loop.ts'
import { addUnanswered, subjectOf, type UnansweredCall } from '../agent/unanswered.ts'
import { FailureError, UserError } from '../base/errors.ts'
import type { Mode } from '../policy/level.ts'
import { table } from '../policy/presets.ts'
import type { Ask } from '../tool/ctx.ts'
import { gate } from '../tool/judge.ts'

type Question = Parameters<Ask>[0]

/** The same answerer; what it leaves unanswered goes to `list`. `agent` is looked at when that happens. */
export function noteUnanswered(ask: Ask, list: UnansweredCall[], agent: () => Agent): Ask {
  return async (question) => {
    const reply = await ask(question)
    if (reply.unanswered !== true) return reply
    const { tool, args, always } = question
    const mode = await mildestMode(question, agent())
    addUnanswered(list, {
      tool,
      subject: subjectOf(args),
      ...(mode !== undefined && { mode }),
      ...(always !== undefined && { rule: always.rule }),
    })
    return reply
  }
}

/** The first mode, mildest first, in which the call is allowed; undefined where only a rule or a person can. */
async function mildestMode({ tool, args }: Question, { catalog, ctx }: Agent): Promise<Mode | undefined> {
  const entry = catalog.find(tool)
  if (!entry) return undefined
  const found = await entry.load()
  for (const mode of Object.keys(table) as Mode[]) {
    const policy = { ...ctx.policy, mode }
    try {
      if ((await gate(found, { ...args }, { ...ctx, policy })).decision.action === 'allow') return mode
    } catch (error) {
      // a place that cannot be looked at any more is no reason to end the run
      if (error instanceof FailureError || error instanceof UserError) return undefined
      throw error
    }
  }
  return undefined
}
