// From a tool and its raw arguments to the gate's decision.
import { FailureError, messageOf, UserError } from '../base/errors.ts'
import { type Call, type Decision, decide, withAnswers } from '../policy/decide.ts'
import { resolve } from '../policy/facts.ts'
import { levels } from '../policy/level.ts'
import type { Ctx } from './ctx.ts'
import { parse } from './parse.ts'
import type { Tool } from './tool.ts'

/** The decision on parsed arguments, stored answers included. Whatever goes wrong in here means deny. */
export async function gate(tool: Tool, args: Record<string, unknown>, ctx: Ctx): Promise<Decision> {
  try {
    const raised = tool.raise?.(args) ?? tool.level
    const level = levels.indexOf(raised) > levels.indexOf(tool.level) ? raised : tool.level
    const call: Call = { tool: tool.name, level, args, scope: tool.scope?.(args, ctx) ?? [] }
    const facts = await resolve(call, ctx.policy, ctx.cwd)
    const decision = decide(facts, ctx.policy)
    if (decision.action !== 'ask' || decision.always === undefined) return decision
    const answers = await ctx.answers()
    return answers.length === 0 ? decision : decide(facts, withAnswers(ctx.policy, answers))
  } catch (error) {
    if (error instanceof UserError || error instanceof FailureError) throw error
    const text = `the permission check failed: ${messageOf(error)}`
    return {
      action: 'deny',
      code: 'denied',
      reasons: [{ action: 'deny', by: 'gate', text }],
      always: undefined,
    }
  }
}

/** The same from raw arguments. Throws UserError when they do not fit the schema. */
export async function judge(tool: Tool, raw: unknown, ctx: Ctx): Promise<Decision> {
  const parsed = parse(tool.input, raw)
  if (!parsed.ok)
    throw new UserError(parsed.issues.join('; '), { hint: `see \`anode tools show ${tool.name}\`` })
  return gate(tool, parsed.args as Record<string, unknown>, ctx)
}
