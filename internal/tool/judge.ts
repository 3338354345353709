// From a tool and its raw arguments to the gate's decision.
import { FailureError, messageOf, UserError } from '../base/errors.ts'
import { type Call, type Decision, decide, withAnswers } from '../policy/decide.ts'
import { resolve } from '../policy/facts.ts'
import { levels } from '../policy/level.ts'
import type { Ctx } from './ctx.ts'
import { parse } from './parse.ts'
import type { Tool } from './tool.ts'

/** A decision with the real paths that it speaks of, by the paths as the call gives them. */
export interface GateResult {
  decision: Decision
  held: ReadonlyMap<string, string>
}

/** The decision on parsed arguments, stored answers included. Whatever goes wrong in here means deny. */
export async function gate(tool: Tool, args: Record<string, unknown>, ctx: Ctx): Promise<GateResult> {
  try {
    const raised = tool.raise?.(args, ctx) ?? tool.level
    const level = levels.indexOf(raised) > levels.indexOf(tool.level) ? raised : tool.level
    const call: Call = { tool: tool.name, level, args, scope: tool.scope?.(args, ctx) ?? [] }
    const facts = await resolve(call, ctx.policy, ctx.cwd)
    const held = new Map(facts.places.map(({ place }) => [place.given, place.real]))
    const decision = decide(facts, ctx.policy)
    if (decision.action !== 'ask' || decision.always === undefined) return { decision, held }
    const answers = await ctx.answers()
    if (answers.length === 0) return { decision, held }
    return { decision: decide(facts, withAnswers(ctx.policy, answers)), held }
  } catch (error) {
    if (error instanceof UserError || error instanceof FailureError) throw error
    const text = `the permission check failed: ${messageOf(error)}`
    const reasons = [{ action: 'deny' as const, by: 'gate', text }]
    return { decision: { action: 'deny', code: 'denied', reasons, always: undefined }, held: new Map() }
  }
}

/** The same from raw arguments. Throws UserError when they do not fit the schema, or the tool can make nothing of them. */
export async function judge(tool: Tool, raw: unknown, ctx: Ctx): Promise<Decision> {
  const hint = `see \`anode tools show ${tool.name}\``
  const parsed = parse(tool.input, raw)
  if (!parsed.ok) throw new UserError(parsed.issues.join('; '), { hint })
  try {
    return (await gate(tool, parsed.args as Record<string, unknown>, ctx)).decision
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    throw new UserError(error.failure.message, { hint: error.failure.hint ?? hint, cause: error })
  }
}
