// The authorization of a call: from a tool and its arguments to the policy's decision.
import { FailureError, messageOf, UserError } from '../../base/errors.ts'
import { resolveFacts } from '../../policy/call-facts.ts'
import {
  type CallFacts,
  decide,
  type PermissionDecision,
  type PolicyCall,
  withStoredRules,
} from '../../policy/decide.ts'
import { isRead, levels } from '../../policy/level.ts'
import type { Ctx } from '../ctx.ts'
import type { CallAccess, Tool } from '../tool.ts'
import { needsBuildConsent, needsSearchConsent, noteCall } from './build-consent.ts'

/** A permission decision with the real paths that it covers, by the paths that the call names. */
interface CallAuthorization {
  decision: PermissionDecision
  /** The scope and effects of the call, as judged. */
  access: CallAccess
  judgedPaths: ReadonlyMap<string, string>
  /** Facts about the call and its commands; missing if the check of the call failed. */
  facts?: CallFacts
}

/**
 * Returns the decision on a call with parsed arguments, including stored answers. Throws the UserError or
 * FailureError of the tool for unsuitable arguments. Any other error means deny.
 */
export async function authorizeCall(
  tool: Tool,
  args: Record<string, unknown>,
  ctx: Ctx,
): Promise<CallAuthorization> {
  try {
    const access = tool.access?.(args, ctx) ?? {}
    const { scope = [], level: raised = tool.level, sandboxed = false, does } = access
    const level = levels.indexOf(raised) > levels.indexOf(tool.level) ? raised : tool.level
    const call: PolicyCall = { tool: tool.name, level, args, scope, does }
    const sandboxedPlan = sandboxed && (await ctx.can.processes.sandbox?.())?.active === true
    const unconfined = sandboxed && !sandboxedPlan && needsBuildConsent(ctx)
    const resolved = await resolveFacts(call, ctx.policy, ctx.cwd, sandboxedPlan)
    const unsearched = sandboxedPlan && (await needsSearchConsent(ctx))
    const facts = { ...resolved, unconfined, unsearched }
    if (!isRead(level)) noteCall(facts, ctx)
    const judgedPaths = new Map(facts.places.map(({ place }) => [place.given, place.real]))
    for (const { parts, writes } of facts.commands)
      for (const { real } of [...parts.flatMap((part) => part.names), ...writes]) judgedPaths.set(real, real)
    const judged = { decision: decide(facts, ctx.policy), access, judgedPaths, facts }
    if (judged.decision.action !== 'ask' || judged.decision.always === undefined) return judged
    const storedRules = await ctx.gate.answers()
    if (storedRules.length > 0) judged.decision = decide(facts, withStoredRules(ctx.policy, storedRules))
    return judged
  } catch (error) {
    if (error instanceof UserError || error instanceof FailureError) throw error
    const text = `the permission check failed: ${messageOf(error)}`
    const reasons = [{ action: 'deny' as const, by: 'gate', text }]
    return {
      decision: { action: 'deny', code: 'denied', reasons, always: undefined },
      access: {},
      judgedPaths: new Map(),
    }
  }
}
